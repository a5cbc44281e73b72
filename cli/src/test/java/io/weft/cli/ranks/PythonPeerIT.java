package io.weft.cli.ranks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Weft ranks face a rank written in Python after the wire's description, on either side. */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
@Tag("long")
class PythonPeerIT {
    /** Debian's own interpreter, which sees the packages that apt installs. */
    private static final String PYTHON = System.getProperty("weft.test.python", "/usr/bin/python3");

    @TempDir
    Path directory;

    @BeforeEach
    void needsPython() throws Exception {
        boolean usable;
        try {
            Process probe = new ProcessBuilder(PYTHON, "-c", "import zmq, msgpack")
                    .redirectErrorStream(true)
                    .start();
            usable = probe.waitFor(30, TimeUnit.SECONDS) && probe.exitValue() == 0;
        } catch (IOException absent) {
            usable = false;
        }
        Assumptions.assumeTrue(usable, PYTHON + " with python3-zmq and python3-msgpack is not installed");
        for (String file : List.of("/io/weft/cli/ranks/kvpeer.py", "/io/weft/backend/tcp/v3peer.py")) {
            try (InputStream in = PythonPeerIT.class.getResourceAsStream(file)) {
                Files.write(
                        directory.resolve(file.substring(file.lastIndexOf('/') + 1)),
                        Objects.requireNonNull(in, file).readAllBytes());
            }
        }
    }

    @ParameterizedTest(name = "prefill TP {0} to decode TP {1}")
    @CsvSource({"1, 1", "2, 1", "1, 2"})
    void aPythonDecodeRankGetsEveryByteOfAWeftPrefill(int prefillTp, int decodeTp) throws Exception {
        try (Ranks ranks = new Ranks(directory, Map.of())) {
            startPrefill(ranks, prefillTp);
            List<JsonProcess> python = peers(ranks, "decode", decodeTp, "receive");
            try {
                ranks.prefill.forEach(PythonPeerIT::send);
                for (JsonProcess peer : python) {
                    JsonNode result = peer.await("result");
                    assertThat(result.get("status").asString()).as("%s", result).isEqualTo("success");
                    assertThat(result.get("wrong")).as("%s", result).isEmpty();
                }
                ranks.prefill.forEach(
                        rank -> assertThat(end(rank).get("status").asString()).isEqualTo("Success"));
            } finally {
                close(python);
            }
        }
    }

    @ParameterizedTest(name = "prefill TP {0} to decode TP {1}")
    @CsvSource({"1, 1", "2, 1"})
    void aWeftDecodeRankGetsEveryByteOfAPythonPrefill(int prefillTp, int decodeTp) throws Exception {
        try (Ranks ranks = new Ranks(directory, Map.of())) {
            List<JsonProcess> python = peers(ranks, "prefill", prefillTp, "send");
            try {
                python.forEach(peer -> peer.await("registered"));
                startDecode(ranks, decodeTp);
                JsonProcess decode = ranks.decode.getFirst();
                decode.send(recv());
                assertThat(end(decode).get("status").asString()).isEqualTo("Success");
                verify(decode, "kv", Ranks.DESTINATION, Ranks.SOURCE);
                verify(decode, "aux", List.of(2), List.of(1));
            } finally {
                close(python);
            }
        }
    }

    @Test
    void aFailedWriteIsToldToAPythonDecodeRank() throws Exception {
        try (Ranks ranks = new Ranks(directory, Map.of())) {
            startPrefill(ranks, 1);
            ranks.prefill.getFirst().send(Map.of("op", "fault", "code", 13, "message", "injected transport error"));
            List<JsonProcess> python = peers(ranks, "decode", 1, "receive");
            try {
                ranks.prefill.forEach(PythonPeerIT::send);
                JsonNode result = python.getFirst().await("result");
                assertThat(result.get("status").asString()).isEqualTo("failed");
                assertThat(result.get("reason").asString()).isEqualTo("KV transfer failed: injected transport error");
            } finally {
                close(python);
            }
        }
    }

    @Test
    void aFailureOfAPythonPrefillRankEndsTheRoomWithItsReason() throws Exception {
        try (Ranks ranks = new Ranks(directory, Map.of())) {
            List<JsonProcess> python = peers(ranks, "prefill", 1, "fail");
            try {
                python.getFirst().await("registered");
                startDecode(ranks, 1);
                ranks.decode.getFirst().send(recv());
                JsonNode end = end(ranks.decode.getFirst());
                assertThat(end.get("status").asString()).isEqualTo("Failed");
                assertThat(end.get("reason").asString()).contains("python said no");
            } finally {
                close(python);
            }
        }
    }

    @Test
    void anAbortOfAPythonDecodeRankEndsTheRoom() throws Exception {
        try (Ranks ranks = new Ranks(directory, Map.of())) {
            startPrefill(ranks, 1);
            List<JsonProcess> python = peers(ranks, "decode", 1, "abort");
            try {
                JsonProcess prefill = ranks.prefill.getFirst();
                prefill.send(Map.of("op", "open", "room", 101));
                prefill.await("room", e -> e.get("status").asString().equals("WaitingForInput"));
                python.getFirst().send(Map.of());
                JsonNode end = end(prefill);
                assertThat(end.get("status").asString()).isEqualTo("Failed");
                assertThat(end.get("reason").asString()).contains("Aborted by AbortReq.");
            } finally {
                close(python);
            }
        }
    }

    @Test
    void anAbortOfAWeftDecodeRankReachesAPythonPrefillRank() throws Exception {
        try (Ranks ranks = new Ranks(directory, Map.of())) {
            List<JsonProcess> python = peers(ranks, "prefill", 1, "wait");
            try {
                python.getFirst().await("registered");
                startDecode(ranks, 1);
                JsonProcess decode = ranks.decode.getFirst();
                decode.send(recv());
                python.getFirst().await("known");
                decode.send(Map.of("op", "abort", "room", 101));
                JsonNode result = python.getFirst().await("result");
                assertThat(result.get("frames").get(0).asString()).isEqualTo("ABORT");
                assertThat(result.get("frames").get(1).asString()).isEqualTo("101");
                assertThat(end(decode).get("reason").asString()).contains("Aborted by AbortReq.");
            } finally {
                close(python);
            }
        }
    }

    private List<JsonProcess> peers(Ranks ranks, String role, int tp, String act) throws IOException {
        List<JsonProcess> peers = new ArrayList<>();
        for (int rank = 0; rank < tp; rank++) {
            Map<String, Object> arguments = new LinkedHashMap<>();
            arguments.put("registry", ranks.registry());
            arguments.put("room", 101);
            arguments.put("tp", tp);
            arguments.put("rank", rank);
            arguments.put("act", act);
            peers.add(new JsonProcess(
                    "python-" + role + rank,
                    directory.resolve("python-" + role + rank + ".log"),
                    Map.of(),
                    List.of(
                            PYTHON,
                            directory.resolve("kvpeer.py").toString(),
                            role,
                            JsonMapper.shared().writeValueAsString(arguments))));
        }
        return peers;
    }

    private static void close(List<JsonProcess> peers) throws IOException {
        for (JsonProcess peer : peers) {
            peer.close();
        }
    }

    private static void startPrefill(Ranks ranks, int tp) throws IOException {
        for (int rank = 0; rank < tp; rank++) {
            ranks.startPrefill(Ranks.with(Ranks.with(Ranks.layout(), "tp", tp), "tpRank", rank));
        }
        ranks.awaitReady();
    }

    private static void startDecode(Ranks ranks, int tp) throws IOException {
        for (int rank = 0; rank < tp; rank++) {
            ranks.startDecode(Ranks.with(Ranks.with(Ranks.layout(), "tp", tp), "tpRank", rank));
        }
        ranks.awaitReady();
    }

    private static void send(JsonProcess prefill) {
        prefill.send(Map.of("op", "fill", "seed", Ranks.SEED, "pages", Ranks.SOURCE, "auxIndex", 1));
        prefill.send(Map.of("op", "send", "room", 101, "pages", Ranks.SOURCE, "auxIndex", 1));
    }

    private static Map<String, Object> recv() {
        return Map.of("op", "recv", "room", 101, "pages", Ranks.DESTINATION, "auxIndex", 2);
    }

    private static JsonNode end(JsonProcess rank) {
        return rank.await(
                "room",
                e -> List.of("Success", "Failed").contains(e.get("status").asString()));
    }

    private static void verify(JsonProcess rank, String buffer, List<Integer> pages, List<Integer> source) {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("op", "verify");
        line.put("id", buffer);
        line.put("buffer", buffer);
        line.put("pages", pages);
        line.put("sourcePages", source);
        line.put("seed", Ranks.SEED);
        line.put("restZero", true);
        line.put("room", 101);
        rank.send(line);
        JsonNode verified =
                rank.await("verified", e -> e.path("id").asString("").equals(buffer));
        assertThat(verified.get("ok").booleanValue()).as("%s", verified).isTrue();
    }
}
