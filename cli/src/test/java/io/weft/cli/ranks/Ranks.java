package io.weft.cli.ranks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.json.JsonMapper;

/** A registry, prefill ranks and decode ranks, each a process. */
final class Ranks implements AutoCloseable {
    static final List<Integer> SOURCE = List.of(1, 2, 3, 9, 11, 12);
    static final List<Integer> DESTINATION = List.of(20, 21, 4, 5, 6, 15);
    static final int SEED = 5;

    final List<JsonProcess> prefill = new ArrayList<>();
    final List<JsonProcess> decode = new ArrayList<>();
    private final Path directory;
    private final Map<String, String> environment = new HashMap<>();
    private JsonProcess registry;
    private String address;
    private int files;

    Ranks(Path directory, Map<String, String> environment) throws IOException {
        this.directory = directory;
        this.environment.putAll(environment);
        registry = startRegistry(0);
        address = addressOf(registry);
    }

    /** The layout of the recorded scenarios. */
    static Map<String, Object> layout() {
        Map<String, Object> layout = new LinkedHashMap<>();
        layout.put("pageSize", 4);
        layout.put("layers", 2);
        layout.put("kvHeads", 8);
        layout.put("headDim", 16);
        layout.put("dtypeBytes", 2);
        layout.put("pages", 24);
        layout.put("aux", Map.of("itemLens", List.of(64, 128, 64), "slots", 6, "roomCell", 2));
        return layout;
    }

    /** State of a hybrid model on one of so many ranks: mamba, and a sliding window as well if wanted. */
    static List<Map<String, Object>> state(int tp, boolean window) {
        List<Map<String, Object>> state = new ArrayList<>();
        state.add(Map.of(
                "type",
                "mamba",
                "slots",
                6,
                "itemLens",
                List.of(12_288 / tp, 16_384 / tp),
                "dims",
                List.of(1024 / tp, 32 / tp)));
        if (window) {
            state.add(Map.of("type", "swa", "slots", 12, "itemLens", List.of(512, 512)));
        }
        return state;
    }

    /** What a layout says of each rank's place. */
    static List<Map<String, Integer>> places(int tp, int pp, int cp) {
        List<Map<String, Integer>> places = new ArrayList<>();
        for (int t = 0; t < tp; t++) {
            for (int p = 0; p < pp; p++) {
                for (int c = 0; c < cp; c++) {
                    places.add(Map.of("tp", tp, "tpRank", t, "pp", pp, "ppRank", p, "cp", cp, "cpRank", c));
                }
            }
        }
        return places;
    }

    static Map<String, Object> with(Map<String, Object> layout, String key, Object value) {
        Map<String, Object> copy = new LinkedHashMap<>(layout);
        copy.put(key, value);
        return copy;
    }

    String registry() {
        return address;
    }

    JsonProcess startPrefill(Map<String, Object> layout) throws IOException {
        JsonProcess rank = start("prefill", layout, Map.of());
        prefill.add(rank);
        return rank;
    }

    JsonProcess startDecode(Map<String, Object> layout) throws IOException {
        return startDecode(layout, Map.of());
    }

    /** One whose environment differs from the others'. */
    JsonProcess startDecode(Map<String, Object> layout, Map<String, String> different) throws IOException {
        JsonProcess rank = start("decode", layout, different);
        decode.add(rank);
        return rank;
    }

    void awaitReady() {
        prefill.forEach(rank -> rank.await("ready"));
        decode.forEach(rank -> rank.await("ready"));
    }

    JsonProcess registryProcess() {
        return registry;
    }

    void killRegistry() throws InterruptedException {
        registry.kill();
    }

    void restartRegistry() throws IOException {
        registry = startRegistry(Integer.parseInt(address.substring(address.lastIndexOf(':') + 1)));
        addressOf(registry);
    }

    @Override
    public void close() throws IOException {
        for (JsonProcess rank : decode) {
            rank.close();
        }
        for (JsonProcess rank : prefill) {
            rank.close();
        }
        registry.close();
    }

    private JsonProcess start(String role, Map<String, Object> layout, Map<String, String> different)
            throws IOException {
        Map<String, String> own = new HashMap<>(environment);
        own.putAll(different);
        Path file = directory.resolve("layout-" + files++ + ".json");
        Files.writeString(file, JsonMapper.shared().writeValueAsString(layout));
        return new JsonProcess(
                role + files,
                directory.resolve(role + files + ".log"),
                own,
                JsonProcess.weft(
                        "rank",
                        "--role",
                        role,
                        "--bootstrap",
                        address,
                        "--layout",
                        file.toString(),
                        "--backend",
                        "tcp"));
    }

    private JsonProcess startRegistry(int port) throws IOException {
        return new JsonProcess(
                "registry",
                directory.resolve("registry.log"),
                environment,
                JsonProcess.weft("bootstrap", "--host", "127.0.0.1", "--port", Integer.toString(port)));
    }

    private static String addressOf(JsonProcess registry) {
        var ready = registry.await("ready");
        return ready.get("host").asString() + ":" + ready.get("port").intValue();
    }
}
