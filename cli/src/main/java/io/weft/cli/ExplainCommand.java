package io.weft.cli;

import io.weft.api.Candidate;
import io.weft.api.EngineDescriptor;
import io.weft.api.ErrorCode;
import io.weft.api.MemoryDescriptor;
import io.weft.api.MemoryKind;
import io.weft.api.MemoryLocation;
import io.weft.api.PeerState;
import io.weft.api.Region;
import io.weft.api.RegisterOptions;
import io.weft.api.SelectionReport;
import io.weft.api.Transfer;
import io.weft.api.TransferEngine;
import io.weft.api.TransferOptions;
import io.weft.api.Verdict;
import io.weft.api.WeftException;
import io.weft.discovery.Installation;
import io.weft.engine.Descriptors;
import io.weft.engine.NodeMarker;
import io.weft.engine.Weft;
import java.time.Duration;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Tells which backend a transfer would take and why the others would not. */
@Command(
        name = "explain",
        description =
                "Tell which backend transfers would take, and why the others would not. Exits with 1 if none would.")
final class ExplainCommand extends WeftCommand {
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    /** MORI's code of host memory. */
    private static final int CPU = 1;

    @Option(
            names = "--peer",
            paramLabel = "HEX",
            description =
                    "Descriptor of an engine, as weft descriptor decode reads it; a Weft engine is dialled and asked what"
                            + " it offers. Without it, the way from this host to itself.")
    @Nullable
    String peer;

    @Option(
            names = "--memory",
            paramLabel = "LOCAL->REMOTE",
            defaultValue = "host->host",
            description = "Kinds of memory; ${DEFAULT-VALUE} by default.")
    String memory = "";

    @Option(names = "--json", description = "Print JSON.")
    boolean json;

    @Override
    public Integer call() throws InterruptedException {
        Logging.insteadOfWarnings("error");
        MemoryKind[] kinds = kinds();
        EngineDescriptor target = peer == null ? null : engine(peer);
        SelectionReport report;
        String connection = "";
        try (TransferEngine engine = Weft.builder()
                .configuration(main().sources())
                .discovery(main().discovery())
                .open()) {
            EngineDescriptor to = target == null ? engine.descriptor() : target;
            if (target != null) {
                engine.addPeer(target);
                connection = reach(engine, target);
            }
            report = engine.explain(to.key(), kinds[0], kinds[1]);
        } catch (WeftException e) {
            if (e.code() != ErrorCode.UNSUPPORTED) {
                throw e;
            }
            report = withoutEngine();
        }
        print(report, connection);
        return report.chosen().isPresent() ? OK : FAILED;
    }

    private MemoryKind[] kinds() {
        String[] sides = memory.split("->", -1);
        try {
            if (sides.length == 2) {
                return new MemoryKind[] {kind(sides[0]), kind(sides[1])};
            }
        } catch (IllegalArgumentException e) {
            throw badUsage("--memory " + memory + ": " + e.getMessage());
        }
        throw badUsage("--memory " + memory + " is not like host->cuda");
    }

    /** Routes do not differ by device, but whoever has a device may name it. */
    private static MemoryKind kind(String location) {
        return MemoryLocation.parse(location.strip()).kind();
    }

    private EngineDescriptor engine(String hex) {
        try {
            return Descriptors.unpackEngine(HexFormat.of().parseHex(hex));
        } catch (WeftException | IllegalArgumentException e) {
            throw badUsage("--peer is not the hex of an engine descriptor: " + e.getMessage());
        }
    }

    /**
     * Connects, since only then the peer tells what it offers. The engine connects with the first transfer, so one is sent to
     * a region that the peer cannot have; it fails without a byte on the fabric.
     */
    private static String reach(TransferEngine engine, EngineDescriptor target) throws InterruptedException {
        if (NodeMarker.parse(target.nodeId()).isEmpty()) {
            return "a plain MORI-IO engine; it does not tell what it offers";
        }
        MemoryDescriptor nowhere = MemoryDescriptor.builder()
                .engineKey(target.key())
                .range(1, 1)
                .location(CPU)
                .build();
        Region mine = engine.allocate(MemoryLocation.HOST, 1, RegisterOptions.DEFAULT);
        Transfer probe = engine.write(mine, 0, nowhere, 0, 1, TransferOptions.DEFAULT.withDeadline(PATIENCE));
        probe.await(PATIENCE);
        return engine.peerState(target.key()).filter(PeerState.UP::equals).isPresent()
                ? "connected"
                : "not connected: " + probe.text();
    }

    /** No engine opens without a backend, yet then the reasons are needed most. */
    private SelectionReport withoutEngine() {
        Installation installation = main().installation().probed();
        List<Candidate> candidates = installation.backends().entries().stream()
                .map(e -> e.verdict()
                        .map(v -> e.candidate(v, e.reason()))
                        .orElseGet(() -> e.candidate(Verdict.OPEN_FAILED, "it could not be opened; --debug logs why")))
                .toList();
        return new SelectionReport("this host; no backend can be opened", candidates);
    }

    private void print(SelectionReport report, String connection) {
        if (json) {
            Map<String, Object> map = new LinkedHashMap<>();
            map.put("question", report.question());
            map.put("connection", connection);
            map.put(
                    "candidates",
                    report.candidates().stream().map(ExplainCommand::asMap).toList());
            out().println(Json.write(map));
            return;
        }
        out().println(report.question());
        if (!connection.isEmpty()) {
            out().println(connection);
        }
        for (Candidate c : report.candidates()) {
            out().printf(
                            "%-18s %s %s, SPI %s, %s%n",
                            c.verdict(), c.name(), orDash(c.version()), orDash(c.spiLevel()), c.source());
            out().printf("%-18s   %s%n", "", c.evidence());
        }
    }

    private static String orDash(String text) {
        return text.isEmpty() ? "-" : text;
    }

    private static Map<String, Object> asMap(Candidate c) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("name", c.name());
        map.put("version", c.version());
        map.put("spiLevel", c.spiLevel());
        map.put("source", c.source());
        map.put("verdict", c.verdict().name());
        map.put("evidence", c.evidence());
        return map;
    }
}
