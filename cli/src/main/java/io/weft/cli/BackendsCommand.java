package io.weft.cli;

import io.weft.config.Printable;
import io.weft.discovery.BackendEntry;
import io.weft.discovery.Installation;
import io.weft.spi.Device;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Lists the backends that were found and says of each whether it can be used here. */
@Command(name = "backends", description = "List the backends and whether each can be used on this host.")
final class BackendsCommand extends WeftCommand {
    private static final String TESTKIT = "io.weft.testkit";

    @Option(names = "--json", description = "Print JSON.")
    boolean json;

    @Option(names = "--all", description = "List those that only tests use, too.")
    boolean all;

    @Override
    public Integer call() {
        Installation installation = main().installation().probed();
        List<BackendEntry> entries = installation.backends().entries().stream()
                .filter(e -> all || !isOnlyForTests(e) || installation.isNamed(e.name()))
                .toList();
        if (json) {
            out().println(Json.write(Map.of(
                    "backends", entries.stream().map(BackendsCommand::asMap).toList())));
        } else {
            print(entries);
        }
        // A wrong configuration must not hide what is installed, but it must not pass either.
        installation.configuration().orThrow();
        return OK;
    }

    private void print(List<BackendEntry> entries) {
        if (entries.isEmpty()) {
            out().println("No backend is on the path.");
            return;
        }
        Table table = new Table("NAME", "VERSION", "SPI", "USABLE", "DEVICES", "SOURCE");
        for (BackendEntry e : entries) {
            table.row(
                    e.name(),
                    orDash(e.version()),
                    orDash(e.spiLevel()),
                    e.isUsable() ? "yes" : "no",
                    Integer.toString(e.devices().size()),
                    Path.of(e.source().location()).getFileName() + " ("
                            + e.source().layer() + ")");
        }
        out().print(table);
        // Backends that dispute a name all have the same reason.
        entries.stream().flatMap(BackendsCommand::explanations).distinct().forEach(out()::println);
    }

    private static Stream<String> explanations(BackendEntry entry) {
        String name = Printable.escaped(entry.name());
        String devices = entry.devices().stream().map(Device::name).distinct().collect(Collectors.joining(", "));
        return Stream.of(
                        entry.isUsable() ? "" : name + ": " + Printable.escaped(entry.reason()),
                        devices.isEmpty() ? "" : name + " devices: " + devices)
                .filter(line -> !line.isEmpty());
    }

    /** The testkit's backends come with the command, whose compatibility kit needs them, but carry nothing between hosts. */
    private static boolean isOnlyForTests(BackendEntry entry) {
        return entry.source().layer().equals("module " + TESTKIT)
                || entry.className().startsWith(TESTKIT + ".");
    }

    private static String orDash(String text) {
        return text.isEmpty() ? "-" : text;
    }

    private static Map<String, Object> asMap(BackendEntry entry) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("name", entry.name());
        map.put("version", entry.version());
        map.put("spiLevel", entry.spiLevel());
        map.put("source", entry.source().toString());
        map.put("usable", entry.isUsable());
        map.put("reason", entry.reason());
        map.put("devices", entry.devices().stream().map(BackendsCommand::asMap).toList());
        return map;
    }

    private static Map<String, Object> asMap(Device device) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("name", device.name());
        map.put("attributes", new TreeMap<>(device.attributes()));
        return map;
    }
}
