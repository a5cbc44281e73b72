package io.weft.cli.ranks;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/** Ranks as processes over TCP: every byte of every decode rank, and what happens when one is killed. */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
@Tag("long")
class RankProcessesIT {
    @TempDir
    Path directory;

    static Stream<Arguments> shapes() {
        return Stream.of(
                Arguments.of("4 to 2", 4, 1, 1, 2, 1, Map.of()),
                Arguments.of("2 to 4", 2, 1, 1, 4, 1, Map.of()),
                Arguments.of("8 to 1", 8, 1, 1, 1, 1, Map.of()),
                Arguments.of("1 to 8, heads replicated", 1, 1, 1, 8, 1, Map.of("kvHeads", 2)),
                Arguments.of("PP 2 to 1", 1, 2, 1, 1, 1, Map.of("layers", 4)),
                Arguments.of("PP 2 to 2", 1, 2, 1, 1, 2, Map.of("layers", 4)),
                Arguments.of("CP 2, one sends", 1, 1, 2, 1, 1, Map.of()),
                Arguments.of("CP 2, all send", 1, 1, 2, 1, 1, Map.of()),
                Arguments.of("MLA 4 to 2", 4, 1, 1, 2, 1, Map.of("mla", true)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("shapes")
    void everyByteIsInPlace(String name, int p, int pp, int cp, int d, int dpp, Map<String, Object> more)
            throws Exception {
        Map<String, String> environment =
                name.contains("all send") ? Map.of("SGLANG_DISAGGREGATION_ALL_CP_RANKS_TRANSFER", "1") : Map.of();
        try (Ranks ranks = new Ranks(directory, environment)) {
            Map<String, Object> base = Ranks.layout();
            base.putAll(more);
            for (Map<String, Integer> place : Ranks.places(p, pp, cp)) {
                ranks.startPrefill(merged(base, place));
            }
            for (Map<String, Integer> place : Ranks.places(d, dpp, 1)) {
                ranks.startDecode(merged(base, place));
            }
            ranks.awaitReady();
            ranks.decode.forEach(rank -> rank.send(recv(101, null)));
            ranks.prefill.forEach(rank -> {
                rank.send(fill(null));
                rank.send(send(101, null));
            });
            ranks.decode.forEach(rank -> assertEnd(rank, 101, "Success"));
            ranks.prefill.forEach(rank -> assertEnd(rank, 101, "Success"));
            ranks.decode.forEach(rank -> {
                verify(rank, "kv", Ranks.DESTINATION, Ranks.SOURCE, 0);
                verify(rank, "aux", List.of(2), List.of(1), 0);
            });
            for (JsonProcess rank :
                    Stream.concat(ranks.prefill.stream(), ranks.decode.stream()).toList()) {
                assertTablesEmpty(rank);
            }
        }
    }

    static Stream<Arguments> states() {
        return Stream.of(
                Arguments.of("mamba, same TP", 2, 2, false),
                Arguments.of("mamba 4 to 2", 4, 2, false),
                Arguments.of("mamba 1 to 2", 1, 2, false),
                Arguments.of("mamba and swa", 2, 2, true));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("states")
    void everyStateItemIsInPlace(String name, int p, int d, boolean window) throws Exception {
        try (Ranks ranks = new Ranks(directory, Map.of())) {
            for (int rank = 0; rank < p; rank++) {
                ranks.startPrefill(stateLayout(p, rank, window));
            }
            for (int rank = 0; rank < d; rank++) {
                ranks.startDecode(stateLayout(d, rank, window));
            }
            ranks.awaitReady();
            List<@Nullable List<Integer>> from = window ? List.of(List.of(3), List.of(1, 2, 7)) : List.of(List.of(3));
            List<@Nullable List<Integer>> to = window ? List.of(List.of(4), List.of(5, 6, 9)) : List.of(List.of(4));
            ranks.decode.forEach(rank -> rank.send(recv(101, to)));
            ranks.prefill.forEach(rank -> {
                rank.send(fill(from));
                rank.send(send(101, from));
            });
            ranks.decode.forEach(rank -> {
                assertEnd(rank, 101, "Success");
                verify(rank, "kv", Ranks.DESTINATION, Ranks.SOURCE, 0);
                verify(rank, "state", to.get(0), from.get(0), 0);
                if (window) {
                    verify(rank, "state", to.get(1), from.get(1), 1);
                }
            });
        }
    }

    @Test
    void aKilledPrefillRankEndsItsRoomsAndItsSuccessorServes() throws Exception {
        try (Ranks ranks =
                new Ranks(directory, Map.of("WEFT_KV_CONTROL_GRACE", "2s", "WEFT_KV_HEARTBEAT_INTERVAL", "1s"))) {
            JsonProcess first = ranks.startPrefill(Ranks.layout());
            JsonProcess decode = ranks.startDecode(Ranks.layout());
            ranks.awaitReady();
            decode.send(recv(101, null));
            decode.await("room", e -> status(e, 101, "WaitingForInput"));
            first.send(Map.of("op", "open", "room", 101));
            first.await("room", e -> status(e, 101, "WaitingForInput"));
            first.kill();
            JsonNode end = assertEnd(decode, 101, "Failed");
            assertThat(end.get("reason").asString()).isNotBlank();
            JsonProcess second = ranks.startPrefill(Ranks.layout());
            second.await("ready");
            assertServes(decode, second, 102);
        }
    }

    @Test
    void aKilledDecodeRankEndsItsRoomsAndItsSuccessorIsServed() throws Exception {
        try (Ranks ranks = new Ranks(directory, Map.of("SGLANG_MORI_TRANSFER_TIMEOUT_MS", "5000"))) {
            JsonProcess prefill = ranks.startPrefill(Ranks.layout());
            JsonProcess first = ranks.startDecode(Ranks.layout());
            ranks.awaitReady();
            first.send(recv(101, null));
            prefill.send(Map.of("op", "open", "room", 101));
            prefill.await("room", e -> status(e, 101, "WaitingForInput"));
            first.kill();
            prefill.send(fill(null));
            prefill.send(send(101, null));
            assertEnd(prefill, 101, "Failed");
            JsonProcess second = ranks.startDecode(Ranks.layout());
            second.await("ready");
            assertServes(second, prefill, 102);
        }
    }

    @Test
    void aKilledRegistryIsUsedAgainWhenItComesBack() throws Exception {
        try (Ranks ranks = new Ranks(directory, Map.of("WEFT_KV_HEARTBEAT_INTERVAL", "500ms"))) {
            JsonProcess prefill = ranks.startPrefill(Ranks.layout());
            JsonProcess decode = ranks.startDecode(Ranks.layout());
            ranks.awaitReady();
            decode.send(recv(101, null));
            decode.await("room", e -> status(e, 101, "WaitingForInput"));
            ranks.killRegistry();
            JsonNode end = assertEnd(decode, 101, "Failed");
            assertThat(end.get("reason").asString()).contains("Losing connection with prefill instance");
            ranks.restartRegistry();
            assertServes(decode, prefill, 102);
            JsonProcess newcomer = ranks.startDecode(Ranks.layout());
            newcomer.await("ready");
            assertServes(newcomer, prefill, 103);
        }
    }

    /**
     * A request, repeated as a scheduler does: the first ones may still be told of the dead rank, or of pages that its rooms
     * hold until it is fenced.
     */
    private static void assertServes(JsonProcess decode, JsonProcess prefill, int firstRoom) {
        prefill.send(fill(null));
        long deadline = System.nanoTime() + JsonProcess.PATIENCE.toNanos();
        int room = firstRoom;
        while (!succeeds(decode, prefill, room)) {
            assertThat(System.nanoTime() - deadline).as("still not served").isNegative();
            room++;
        }
        verify(decode, "kv", Ranks.DESTINATION, Ranks.SOURCE, 0);
    }

    private static boolean succeeds(JsonProcess decode, JsonProcess prefill, int room) {
        decode.send(recv(room, null));
        prefill.send(send(room, null));
        JsonNode end = decode.awaitAny(e -> e.path("room").asInt(-1) == room
                && (e.path("event").asString("").equals("error")
                        || status(e, room, "Success")
                        || status(e, room, "Failed")));
        return end.path("status").asString("").equals("Success");
    }

    private static Map<String, Object> recv(int room, @Nullable List<@Nullable List<Integer>> state) {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("op", "recv");
        line.put("room", room);
        line.put("pages", Ranks.DESTINATION);
        line.put("auxIndex", 2);
        if (state != null) {
            line.put("stateIndices", state);
        }
        return line;
    }

    private static Map<String, Object> send(int room, @Nullable List<@Nullable List<Integer>> state) {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("op", "send");
        line.put("room", room);
        line.put("pages", Ranks.SOURCE);
        line.put("totalPages", Ranks.SOURCE.size());
        line.put("auxIndex", 1);
        if (state != null) {
            line.put("stateIndices", state);
        }
        return line;
    }

    private static Map<String, Object> fill(@Nullable List<@Nullable List<Integer>> state) {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("op", "fill");
        line.put("seed", Ranks.SEED);
        line.put("pages", Ranks.SOURCE);
        line.put("auxIndex", 1);
        if (state != null) {
            line.put("stateIndices", state);
        }
        return line;
    }

    private static void verify(
            JsonProcess rank,
            String buffer,
            @Nullable List<Integer> pages,
            @Nullable List<Integer> source,
            int component) {
        String id = buffer + component + System.nanoTime();
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("op", "verify");
        line.put("id", id);
        line.put("buffer", buffer);
        line.put("component", component);
        line.put("pages", pages);
        line.put("sourcePages", source);
        line.put("seed", Ranks.SEED);
        line.put("restZero", true);
        if (buffer.equals("aux")) {
            line.put("room", 101);
        }
        rank.send(line);
        JsonNode verified =
                rank.await("verified", e -> e.path("id").asString("").equals(id));
        assertThat(verified.get("ok").booleanValue())
                .as("%s %s", buffer, verified)
                .isTrue();
    }

    private static JsonNode assertEnd(JsonProcess rank, int room, String status) {
        JsonNode end = rank.await("room", e -> status(e, room, "Success") || status(e, room, "Failed"));
        assertThat(end.get("status").asString()).as("%s", end).isEqualTo(status);
        return end;
    }

    private static boolean status(JsonNode event, int room, String status) {
        return event.path("room").asInt(-1) == room
                && event.path("status").asString("").equals(status);
    }

    private static void assertTablesEmpty(JsonProcess rank) {
        String id = "tables" + System.nanoTime();
        rank.send(Map.of("op", "tables", "id", id));
        JsonNode sizes =
                rank.await("tables", e -> e.path("id").asString("").equals(id)).get("sizes");
        sizes.propertyStream()
                .filter(p -> p.getKey().toLowerCase(Locale.ROOT).contains("rooms"))
                .forEach(
                        p -> assertThat(p.getValue().intValue()).as("%s", sizes).isZero());
    }

    private static Map<String, Object> stateLayout(int tp, int rank, boolean window) {
        Map<String, Object> layout = Ranks.layout();
        layout.put("tp", tp);
        layout.put("tpRank", rank);
        layout.put("state", Ranks.state(tp, window));
        return layout;
    }

    private static Map<String, Object> merged(Map<String, Object> base, Map<String, Integer> place) {
        Map<String, Object> layout = new LinkedHashMap<>(base);
        layout.putAll(place);
        return layout;
    }
}
