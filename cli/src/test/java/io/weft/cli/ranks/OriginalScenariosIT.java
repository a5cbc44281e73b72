package io.weft.cli.ranks;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.engine.Descriptors;
import io.weft.kv.wire.Decoded;
import io.weft.kv.wire.KvCodec;
import io.weft.kv.wire.PeerRegistration;
import io.weft.kv.wire.Receiver;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.msgpack.core.MessagePack;
import org.msgpack.core.MessageUnpacker;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The scenarios in which the original connector was recorded, played by Weft ranks: the same messages in the same order with the
 * same frames, but for ports, keys and addresses, and one trailing frame of Weft's. Where Weft behaves better the
 * difference is spelled out.
 */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
@Tag("long")
class OriginalScenariosIT {
    /** Whose messages the scenarios with one prefill rank ask about. */
    private static final String ANSWERS = "prefill tp0pp0cp0dp0";

    private static final HexFormat HEX = HexFormat.of();
    private static final Map<String, Integer> FRAMES =
            Map.of("registration", 14, "metadata", 10, "status", 5, "aux", 6, "abort", 4);

    @TempDir
    Path directory;

    /** What is particular about a scenario. */
    record Scenario(
            String name, int p, int d, int pp, int cp, Map<String, Object> layout, Map<String, String> environment) {
        static Scenario of(String name) {
            return new Scenario(name, 1, 1, 1, 1, Map.of(), Map.of());
        }

        static Scenario tp(String name, int p, int d) {
            return new Scenario(name, p, d, 1, 1, Map.of(), Map.of());
        }

        Scenario with(String key, Object value) {
            Map<String, Object> more = new LinkedHashMap<>(layout);
            more.put(key, value);
            return new Scenario(name, p, d, pp, cp, more, environment);
        }

        Scenario with(Map<String, String> variables) {
            return new Scenario(name, p, d, pp, cp, layout, variables);
        }

        boolean hasState() {
            return name.contains("mamba");
        }

        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Scenario> scenarios() {
        return Stream.of(
                Scenario.of("same_tp1"),
                Scenario.tp("same_tp2", 2, 2),
                Scenario.tp("tp4_to_tp2", 4, 2),
                Scenario.tp("mla_same_tp2", 2, 2).with("mla", true),
                new Scenario("pp2_to_pp1", 1, 1, 2, 1, Map.of("layers", 4), Map.of()),
                Scenario.of("aux_rdma_same_tp1").with(Map.of("SGLANG_MORI_SEND_AUX_RDMA", "1")),
                Scenario.of("chunks3"),
                Scenario.of("prefix_8_tokens"),
                Scenario.tp("mamba_same_tp2", 2, 2),
                Scenario.tp("mamba_swa_same_tp2", 2, 2),
                Scenario.of("swa_null_mamba"),
                Scenario.of("full_prefix_hit"),
                Scenario.of("fail_engine_write"),
                Scenario.of("abort_prefill"),
                Scenario.of("abort_decode_is_dropped_by_prefill"),
                Scenario.of("timeout_sla")
                        .with(Map.of("SGLANG_MORI_TRANSFER_TIMEOUT_MS", "200", "SGLANG_MORI_WAIT_POLL_MS", "50")),
                new Scenario("cp2_dummy_rank", 1, 1, 1, 2, Map.of(), Map.of()));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("scenarios")
    void theSameMessagesAreExchanged(Scenario s) throws Exception {
        Map<String, List<List<String>>> recorded = original(s.name());
        // The registry that decode ranks ask knows the recorder only; prefill ranks are in the other one.
        try (Ranks prefill = new Ranks(Files.createDirectory(directory.resolve("p")), s.environment());
                Ranks decode = new Ranks(Files.createDirectory(directory.resolve("d")), s.environment());
                Recorder recorder = new Recorder()) {
            List<Map<String, Integer>> places = Ranks.places(s.p(), s.pp(), s.cp());
            for (Map<String, Integer> place : places) {
                prefill.startPrefill(layout(s, place, s.p()));
            }
            for (Map<String, Integer> place : Ranks.places(s.d(), 1, 1)) {
                decode.startDecode(layout(s, place, s.d()));
            }
            prefill.awaitReady();
            decode.awaitReady();
            for (Map<String, Integer> place : places) {
                recorder.stand(prefill.registry(), decode.registry(), place);
            }
            play(s, prefill.prefill, decode.decode);
            Map<String, List<List<String>>> expected = expected(s.name(), recorded);
            Awaitility.await()
                    .atMost(JsonProcess.PATIENCE)
                    .untilAsserted(() -> assertThat(seen(s.name(), recorder)).isEqualTo(expected));
        }
    }

    private static void play(Scenario s, List<JsonProcess> prefill, List<JsonProcess> decode) {
        boolean aborts = s.name().startsWith("abort");
        List<Integer> pages = s.name().equals("full_prefix_hit") ? List.of() : Ranks.SOURCE;
        Map<String, Object> recv = line("recv");
        recv.put("pages", pages.isEmpty() ? List.of() : Ranks.DESTINATION);
        recv.put("auxIndex", 2);
        recv.put("prefixLen", s.name().equals("prefix_8_tokens") ? 8 : pages.isEmpty() ? 32 : 0);
        recv.put("stateIndices", state(s.name(), 4, List.of(5, 6, 9), List.of(5, 6)));
        decode.forEach(rank -> rank.send(recv));
        prefill.forEach(rank -> {
            Map<String, Object> fill = line("fill");
            fill.put("seed", Ranks.SEED);
            fill.put("pages", Ranks.SOURCE);
            fill.put("auxIndex", 1);
            rank.send(fill);
            switch (s.name()) {
                case "fail_engine_write" ->
                    rank.send(Map.of("op", "fault", "code", 13, "message", "injected transport error"));
                case "timeout_sla" -> rank.send(Map.of("op", "fault", "delayMs", 1500));
                default -> {
                    // No fault.
                }
            }
            if (aborts) {
                rank.send(line("open"));
            } else if (s.name().equals("chunks3")) {
                rank.send(send(s, List.of(1, 2), false));
                rank.send(send(s, List.of(3), false));
                rank.send(send(s, List.of(9, 11, 12), true));
            } else {
                rank.send(send(s, pages, true));
            }
        });
        if (aborts) {
            prefill.forEach(rank -> rank.await("room", e -> isStatus(e, "WaitingForInput")));
            (s.name().equals("abort_prefill") ? prefill : decode).forEach(rank -> rank.send(line("abort")));
        }
        decode.forEach(rank -> rank.await("room", e -> isStatus(e, "Success") || isStatus(e, "Failed")));
    }

    private static Map<String, Object> send(Scenario s, List<Integer> pages, boolean last) {
        Map<String, Object> send = line("send");
        send.put("pages", pages);
        send.put("last", last);
        send.put("auxIndex", 1);
        send.put("stateIndices", state(s.name(), 3, List.of(1, 2, 7), List.of(1, 2)));
        return send;
    }

    private static @Nullable List<@Nullable List<Integer>> state(
            String scenario, int slot, List<Integer> window, List<Integer> windowAlone) {
        return switch (scenario) {
            case "mamba_same_tp2" -> List.of(List.of(slot));
            case "mamba_swa_same_tp2" -> List.of(List.of(slot), window);
            case "swa_null_mamba" -> Arrays.asList(null, windowAlone);
            default -> null;
        };
    }

    private static Map<String, Object> line(String op) {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("op", op);
        line.put("room", 101);
        return line;
    }

    private static boolean isStatus(JsonNode event, String status) {
        return event.path("status").asString("").equals(status);
    }

    private static Map<String, Object> layout(Scenario s, Map<String, Integer> place, int tp) {
        Map<String, Object> layout = Ranks.layout();
        layout.put("gpuId", 0);
        layout.putAll(s.layout());
        layout.putAll(place);
        if (s.hasState()) {
            layout.put("state", Ranks.state(tp, s.name().contains("swa")));
        }
        return layout;
    }

    /** What Weft does differently, on purpose. */
    private static Map<String, List<List<String>>> expected(String scenario, Map<String, List<List<String>>> recorded) {
        Map<String, List<List<String>>> expected = new TreeMap<>(recorded);
        switch (scenario) {
            case "fail_engine_write", "timeout_sla" ->
                // Aux rows follow the pages, so a room whose pages failed sends none; a deadline speaks for itself.
                expected.computeIfPresent(
                        ANSWERS,
                        (any, all) -> all.stream()
                                .filter(m -> m.getFirst().equals("status"))
                                .map(OriginalScenariosIT::withoutDeadlineText)
                                .toList());
            case "abort_decode_is_dropped_by_prefill" -> {
                // The abort is not dropped: it is acknowledged.
                expected.put(ANSWERS, List.of(List.of("status", guard(), hex("101"), hex("0"), hex("0"), "(abort)")));
                expected.put(ANSWERS + " peers", List.of(List.of("1")));
            }
            default -> {
                // As recorded.
            }
        }
        return expected;
    }

    private static Map<String, List<List<String>>> seen(String scenario, Recorder recorder) {
        Map<String, List<List<String>>> seen = new TreeMap<>();
        Map<String, Integer> pairs = new TreeMap<>();
        recorder.messages().forEach((way, messages) -> {
            String kindOfSender = way.toPrefill() ? "decode " + way.decode() : "prefill " + way.prefill();
            List<List<String>> normal = messages.stream()
                    .map(frames -> withoutDeadlineText(normal(way.toPrefill(), frames)))
                    .toList();
            // A decode rank says the same to each prefill rank it talks to.
            List<List<String>> before = seen.put(kindOfSender, normal);
            assertThat(before == null || before.equals(normal))
                    .as("%s to all alike", kindOfSender)
                    .isTrue();
            pairs.merge(kindOfSender, 1, Integer::sum);
        });
        pairs.forEach((sender, count) -> seen.put(sender + " peers", List.of(List.of(Integer.toString(count)))));
        if (scenario.equals("fail_engine_write")) {
            // Told at once while other transfers are in flight, and again when none is: an extra frame tells the two
            // apart. A decode rank that hears the first one in time asks, by an abort, and is answered.
            seen.computeIfPresent(
                    ANSWERS,
                    (any, all) -> all.stream()
                            .filter(m ->
                                    !m.getLast().equals(hex("nothing of this room is in flight at this prefill rank")))
                            .distinct()
                            .toList());
            seen.computeIfPresent(
                    "decode tp0pp0cp0dp0",
                    (any, all) -> all.stream()
                            .filter(m -> !m.getFirst().equals("abort"))
                            .toList());
        }
        return seen;
    }

    private static Map<String, List<List<String>>> original(String scenario) throws Exception {
        Map<String, List<List<String>>> recorded = new TreeMap<>();
        try (InputStream in = OriginalScenariosIT.class.getResourceAsStream("/vectors/original-frames.json")) {
            JsonNode messages =
                    JsonMapper.shared().readTree(in).get("scenarios").get(scenario);
            for (JsonNode message : messages) {
                boolean toPrefill = message.get("direction").asString().endsWith(">prefill");
                String sender = (toPrefill ? "decode " : "prefill ")
                        + message.get("from").asString();
                List<byte[]> frames = message.get("frames")
                        .valueStream()
                        .map(f -> HEX.parseHex(f.asString()))
                        .toList();
                recorded.computeIfAbsent(sender, any -> new ArrayList<>()).add(normal(toPrefill, frames));
                recorded.put(
                        sender + " peers", List.of(List.of(message.get("count").asString())));
            }
        }
        return recorded;
    }

    /** Kind and frames, without what belongs to one run: address, port, key, descriptors but for their sizes. */
    private static List<String> normal(boolean toPrefill, List<byte[]> frames) {
        String first = text(frames.get(0));
        String kind = first.equals("AUX_DATA")
                ? "aux"
                : first.equals("ABORT")
                        ? "abort"
                        : !toPrefill ? "status" : text(frames.get(1)).equals("None") ? "registration" : "metadata";
        int own = FRAMES.get(kind);
        frames.stream().skip(own).forEach(extra -> assertThat(text(extra)).startsWith("weft1"));
        List<String> normal = new ArrayList<>();
        normal.add(kind);
        for (int i = 0; i < own; i++) {
            normal.add(HEX.formatHex(frames.get(i)));
        }
        switch (kind) {
            case "registration" -> {
                normal.subList(3, 9).clear();
                normal.add(descriptors(frames));
            }
            case "metadata" -> normal.subList(3, 6).clear();
            case "abort" -> normal.subList(3, 5).clear();
            default -> {
                // All of it is the scenario's.
            }
        }
        return normal;
    }

    /** How the descriptors are built, and how long each region is. */
    private static String descriptors(List<byte[]> frames) {
        PeerRegistration r = (PeerRegistration) ((Decoded.Accepted) KvCodec.decode(Receiver.PREFILL, frames)).message();
        List<List<byte[]>> all = new ArrayList<>(List.of(r.kv(), r.aux()));
        all.addAll(r.state());
        String regions = all.stream()
                .map(list -> list.stream()
                        .map(d -> shape(d) + Descriptors.unpackMemory(d).length())
                        .toList())
                .toList()
                .toString();
        return shape(frames.get(4)) + regions;
    }

    /** Types of a msgpack array's elements in order, byte strings with their lengths. */
    private static String shape(byte[] packed) {
        try (MessageUnpacker in = MessagePack.newDefaultUnpacker(packed)) {
            String shape = in.unpackValue().asArrayValue().list().stream()
                    .map(v -> v.isBinaryValue()
                            ? "bytes " + v.asBinaryValue().asByteArray().length
                            : v.getValueType().name())
                    .toList()
                    .toString();
            assertThat(in.hasNext()).as("bytes after the descriptor").isFalse();
            return shape;
        } catch (IOException malformed) {
            throw new AssertionError(HEX.formatHex(packed), malformed);
        }
    }

    private static List<String> withoutDeadlineText(List<String> message) {
        if (!message.getFirst().equals("status")) {
            return message;
        }
        String reason = new String(HEX.parseHex(message.getLast()), StandardCharsets.UTF_8);
        List<String> changed = new ArrayList<>(message);
        if (reason.contains("SLA") || reason.contains("deadline")) {
            changed.set(changed.size() - 1, "(deadline)");
        } else if (reason.contains("Aborted by AbortReq. by decode rank")) {
            changed.set(changed.size() - 1, "(abort)");
        }
        return changed;
    }

    private static String guard() {
        return hex("MoriMsgGuard");
    }

    private static String hex(String ascii) {
        return HEX.formatHex(ascii.getBytes(StandardCharsets.US_ASCII));
    }

    private static String text(byte[] frame) {
        return new String(frame, StandardCharsets.ISO_8859_1);
    }
}
