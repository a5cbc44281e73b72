package io.weft.cli.rank;

import io.weft.api.MemoryKind;
import io.weft.api.MemoryLocation;
import io.weft.api.TransferEngine;
import io.weft.bootstrap.BootstrapClient;
import io.weft.config.Configuration;
import io.weft.config.ConfigurationSources;
import io.weft.config.EngineOptions;
import io.weft.engine.Descriptors;
import io.weft.engine.Weft;
import io.weft.kv.DecodeManager;
import io.weft.kv.KvOptions;
import io.weft.kv.KvSettings;
import io.weft.kv.KvStats;
import io.weft.kv.PrefillManager;
import io.weft.kv.RankConfig;
import io.weft.kv.wire.NetworkAddress;
import io.weft.spi.DeviceMemory;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** One rank from its layout to its last command. */
public final class RankProcess {
    private static final Duration REGISTRATION_HEARTBEAT = Duration.ofSeconds(2);

    private RankProcess() {}

    /**
     * Runs a rank until {@code quit} or the end of input. Blocks.
     *
     * @param role side of the rank
     * @param registry registry as {@code host:port}
     * @param layoutFile its layout
     * @param location where KV and state buffers lie
     * @param devices opens device memory; called for device memory only
     * @param backend the only backend to use, null for what the configuration selects
     * @param sources where options come from
     * @param configuration their values
     * @param in commands
     * @param out events
     * @throws IOException if the input cannot be read
     */
    public static void run(
            Role role,
            String registry,
            Path layoutFile,
            MemoryLocation location,
            Supplier<DeviceMemory> devices,
            @Nullable String backend,
            ConfigurationSources sources,
            Configuration configuration,
            InputStream in,
            OutputStream out)
            throws IOException {
        LayoutFile layout = LayoutFile.read(layoutFile);
        Events events = new Events(out);
        String name = role.name().toLowerCase(Locale.ROOT);
        Weft.Builder builder = Weft.builder()
                .configuration(sources)
                .name(name + "-tp" + layout.parallel().tpRank() + "-pp"
                        + layout.parallel().ppRank());
        if (backend != null) {
            builder.option("weft.backends.allow", backend);
        }
        KvSettings settings = KvSettings.of(configuration.values(KvOptions.GROUP));
        String secret = configuration.values(EngineOptions.GROUP).string(EngineOptions.SECRET);
        try (Buffers buffers = new Buffers(layout, memory(location, devices));
                TransferEngine engine = builder.open();
                BootstrapClient directory = new BootstrapClient(secret, REGISTRATION_HEARTBEAT);
                RoomWatch watch = new RoomWatch()) {
            RankConfig config = new RankConfig(
                    buffers.args(), layout.parallel(), registry, layout.localIp(), layout.loadBalance(), 0);
            MemoryOps memory = new MemoryOps(buffers);
            BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
            if (role == Role.PREFILL) {
                DroppedPages dropped = new DroppedPages(buffers.group("kv", 0));
                FaultEngine faults = new FaultEngine(engine, dropped);
                try (PrefillManager manager = PrefillManager.open(faults, config, settings, directory);
                        Operations ops =
                                Operations.ofRank(configuration, engine, registry, manager.metrics(), manager::rooms);
                        RoomOps rooms = new PrefillOps(manager::sender, buffers, faults, dropped, watch, events)) {
                    directory.operationsAt(ops.address(manager.address().host()));
                    serve(
                            name,
                            manager.address(),
                            ops,
                            engine,
                            memory,
                            new Inspection(engine, manager::stats, events, rooms),
                            events,
                            lines);
                }
            } else {
                try (DecodeManager manager = DecodeManager.open(engine, config, settings, directory);
                        Operations ops =
                                Operations.ofRank(configuration, engine, registry, manager.metrics(), manager::rooms);
                        RoomOps rooms = new DecodeOps(
                                (room, from) -> manager.receiver(from, room),
                                registry,
                                buffers,
                                memory,
                                watch,
                                events)) {
                    serve(
                            name,
                            manager.address(),
                            ops,
                            engine,
                            memory,
                            new Inspection(engine, manager::stats, events, rooms),
                            events,
                            lines);
                }
            }
        }
    }

    private static Memory memory(MemoryLocation location, Supplier<DeviceMemory> devices) {
        return location.kind().isHost() ? new HostMemory() : new OnDevice(location, devices.get());
    }

    private static void serve(
            String role,
            NetworkAddress address,
            Operations ops,
            TransferEngine engine,
            MemoryOps memory,
            RoomOps rooms,
            Events events,
            BufferedReader lines)
            throws IOException {
        ObjectNode ready = Events.event("ready")
                .put("role", role)
                .put("pid", ProcessHandle.current().pid())
                .put("ip", address.host())
                .put("rankPort", address.port())
                .put("engineKey", engine.descriptor().key())
                .put("enginePort", engine.descriptor().port())
                .put("descriptor", HexFormat.of().formatHex(Descriptors.pack(engine.descriptor())));
        if (ops.port() > 0) {
            ready.put("opsPort", ops.port());
        }
        events.tell(ready);
        new CommandLoop(memory, rooms, events).run(lines);
    }

    /** Adds the commands that only look to those of a role. */
    private record Inspection(TransferEngine engine, Supplier<KvStats> stats, Events events, RoomOps rooms)
            implements RoomOps {
        @Override
        public void carryOut(Line line) {
            switch (line.op()) {
                case "tables" -> {
                    ObjectNode answer = Events.answer("tables", line);
                    answer.set("sizes", Events.sizes(stats.get().tables()));
                    events.tell(answer);
                }
                case "stats" -> events.tell(describe(line));
                default -> rooms.carryOut(line);
            }
        }

        private ObjectNode describe(Line line) {
            KvStats kv = stats.get();
            var moved = engine.stats();
            ObjectNode answer = Events.answer("stats", line);
            answer.putObject("rooms")
                    .put("succeeded", kv.succeeded())
                    .put("failed", kv.failed())
                    .put("bytes", kv.bytes());
            answer.putObject("messages").put("rejected", kv.rejected()).put("dropped", kv.droppedMessages());
            Map<String, Integer> leases = new TreeMap<>();
            kv.leasesByState().forEach((state, count) -> leases.put(state.name(), count));
            answer.set("leases", Events.sizes(leases));
            answer.set("tables", Events.sizes(kv.tables()));
            rooms.describe(answer);
            answer.putObject("transfers")
                    .put("started", moved.started())
                    .put("succeeded", moved.succeeded())
                    .put("failed", moved.failed())
                    .put("cancelled", moved.cancelled())
                    .put("inFlight", moved.inFlight())
                    .put("bytes", moved.bytes())
                    .put("registeredBytes", moved.registeredBytes());
            return answer.put(
                    "selection",
                    engine.explain(line.text("peer", engine.descriptor().key()), MemoryKind.HOST, MemoryKind.HOST)
                            .toString());
        }

        @Override
        public void describe(ObjectNode answer) {
            rooms.describe(answer);
        }

        @Override
        public void close() {
            rooms.close();
        }
    }
}
