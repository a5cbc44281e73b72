package io.weft.cli.ranks;

import static io.weft.cli.ranks.RankTools.awaitInspect;
import static io.weft.cli.ranks.RankTools.awaitLog;
import static io.weft.cli.ranks.RankTools.get;
import static io.weft.cli.ranks.RankTools.inspect;
import static io.weft.cli.ranks.RankTools.resume;
import static io.weft.cli.ranks.RankTools.stop;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * Eight faults as an operator meets them: what the tools say names the cause, in words that docs/operations.md explains. The ranks are shared,
 * since starting them takes longer than breaking them; each test leaves them whole but the last, which kills one.
 */
@Tag("long")
@Timeout(value = 180, unit = TimeUnit.SECONDS)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(OrderAnnotation.class)
class FaultTranscriptsIT {
    private static final List<Integer> PAGES = List.of(1, 2, 3);

    @TempDir
    static Path directory;

    private Ranks ranks;
    private JsonProcess prefill;
    private JsonProcess decode;
    private JsonProcess withOtherSecret;
    private JsonProcess withOtherPages;
    private JsonProcess withOtherHeads;
    private String peer;

    @BeforeAll
    void start() throws Exception {
        Map<String, String> environment = new HashMap<>(RankTools.ENVIRONMENT);
        environment.put("WEFT_QUEUE_TRANSFERS", "1");
        environment.put("WEFT_KV_CONTROL_GRACE", "2s");
        ranks = new Ranks(directory, environment);
        prefill = ranks.startPrefill(Ranks.layout());
        decode = ranks.startDecode(Ranks.layout());
        withOtherSecret = ranks.startDecode(Ranks.layout(), Map.of("WEFT_SECRET", "another"));
        withOtherPages = ranks.startDecode(Ranks.with(Ranks.layout(), "pageSize", 8));
        withOtherHeads = ranks.startDecode(Ranks.with(Ranks.layout(), "headDim", 32));
        ranks.awaitReady();
        peer = "peer " + decode.await("ready").get("engineKey").asString();
        prefill.send(Map.of("op", "fill", "seed", Ranks.SEED, "pages", PAGES, "auxIndex", 1));
        announce(100, List.of(20, 21, 4), 2);
        send(100);
        awaitRoom(decode, 100, "Success");
        awaitInspect(prefill, peer, ": UP, 0 transfers", "link over tcp: UP");
    }

    @AfterAll
    void close() throws Exception {
        ranks.close();
    }

    /** The decode rank names its pages, and the prefill rank has heard it. */
    private void announce(int room, List<Integer> pages, int auxIndex) {
        decode.send(Map.of("op", "recv", "room", room, "pages", pages, "auxIndex", auxIndex));
        prefill.send(Map.of("op", "open", "room", room));
        awaitRoom(prefill, room, "WaitingForInput");
    }

    private void send(int room) {
        prefill.send(Map.of("op", "send", "room", room, "pages", PAGES, "totalPages", PAGES.size(), "auxIndex", 1));
    }

    private static void awaitRoom(JsonProcess rank, int room, String status) {
        rank.await(
                "room",
                event -> event.path("room").asInt(-1) == room
                        && event.path("status").asString("").equals(status));
    }

    @Test
    @Order(1)
    void aStoppedPeerIsSuspectAndWhatWaitsForItSaysSo() throws Exception {
        announce(101, List.of(20, 21, 4), 2);
        stop(decode);
        try {
            send(101);
            awaitInspect(prefill, peer, ": SUSPECT, 1 transfers", "the peer is SUSPECT");
            assertThat(get(prefill, "/health/live").statusCode()).isEqualTo(200);
        } finally {
            resume(decode);
        }
        awaitRoom(decode, 101, "Success");
        awaitInspect(prefill, peer, ": UP, 0 transfers");
    }

    @Test
    @Order(2)
    void aFullQueueIsNamedByTheRoomThatWaitsForItAndByTheLog() throws Exception {
        announce(102, List.of(20, 21, 4), 2);
        announce(103, List.of(5, 6, 15), 3);
        stop(decode);
        try {
            send(102);
            send(103);
            awaitInspect(
                    prefill,
                    ": Transferring",
                    "waits for 1 more to find room in the engine's queue for their peer, which is full"
                            + " (weft.queue.transfers");
            awaitLog(
                    prefill,
                    "WEFT-FAILED engine ",
                    "RESOURCE_EXHAUSTED",
                    "1 transfers to it are not over (weft.queue.transfers)",
                    "what to do: docs/operations.md, \"a transfer or a room fails\"");
        } finally {
            resume(decode);
        }
        awaitRoom(decode, 102, "Success");
        awaitRoom(decode, 103, "Success");
    }

    @Test
    @Order(3)
    void anAbortThatAStoppedRankDoesNotHearIsARoomThatWaitsForIt() throws Exception {
        announce(104, List.of(20, 21, 4), 2);
        stop(prefill);
        try {
            decode.send(Map.of("op", "abort", "room", 104));
            awaitRoom(decode, 104, "Failed");
            awaitInspect(
                    decode,
                    "decode room 104: Failed",
                    "waits for its writers to be known quiet, then its pages are free: " + rank(prefill)
                            + " did not answer the abort for ",
                    "lease DRAINING, CANCELLED: Aborted by AbortReq.");
        } finally {
            resume(prefill);
        }
        decode.send(Map.of("op", "drain", "room", 104, "id", 1));
        assertThat(decode.await("drained").get("drained").asBoolean()).isTrue();
        awaitLog(prefill, "prefill room 104 with decode ranks " + peer.substring("peer ".length()) + ", CANCELLED");
    }

    @Test
    @Order(4)
    void aWrongSecretIsNamedByTheRoomAndByInspect() throws Exception {
        withOtherSecret.send(Map.of("op", "recv", "room", 105, "pages", List.of(4), "auxIndex", 2));
        awaitLog(withOtherSecret, "WEFT-ROOM-FAILED engine ", "decode room 105 with ", "AUTHENTICATION", "secret");
        Tool inspect = Tool.run(
                Map.of("WEFT_SECRET", "another"), JsonProcess.weft("inspect", "127.0.0.1:" + RankTools.port(prefill)));
        assertThat(inspect.exit()).isEqualTo(1);
        assertThat(inspect.output())
                .contains("it has a secret and that of this process is another; give both the same");
    }

    @Test
    @Order(5)
    void aLayoutThatDecodeRefusesIsNamedByTheRoom() {
        withOtherPages.send(Map.of("op", "recv", "room", 106, "pages", List.of(4), "auxIndex", 2));
        awaitLog(
                withOtherPages,
                "WEFT-ROOM-FAILED engine ",
                "decode room 106 with the prefill ranks of registry " + ranks.registry(),
                "INCOMPATIBLE: ",
                "page size is 4 on prefill and 8 on decode");
    }

    @Test
    @Order(5)
    void aLayoutThatPrefillRefusesIsNamedByTheRoomAndByThePrefillRanksLog() {
        String differ =
                "KV pages of one layer have 1024 bytes on prefill and 2048 bytes on decode, with the same heads";
        withOtherHeads.send(Map.of("op", "recv", "room", 108, "pages", List.of(4), "auxIndex", 2));
        awaitLog(
                withOtherHeads,
                "WEFT-ROOM-FAILED engine ",
                "decode room 108 with the prefill ranks of registry " + ranks.registry() + " (" + rank(prefill) + ")",
                "INCOMPATIBLE, told by " + rank(prefill) + ": " + differ);
        awaitLog(prefill, "WEFT-PEER-REFUSED decode rank ", "is refused: " + differ);
    }

    /** The only rank of a prefill instance, as a decode rank names it. */
    private static String rank(JsonProcess prefill) {
        JsonNode ready = prefill.await("ready");
        return "prefill rank 0 at " + ready.get("ip").asString() + ":"
                + ready.get("rankPort").intValue() + ", engine "
                + ready.get("engineKey").asString();
    }

    @Test
    @Order(6)
    void tooLittleLockableMemoryIsFoundByDoctor() throws Exception {
        List<String> limited = new ArrayList<>();
        if (Files.readString(Path.of("/proc/self/status")).matches("(?s).*CapEff:\\s*0*[1-9a-f][0-9a-f]*\\s.*")) {
            // Who may lock without a limit must give that up first.
            assumeThat(Path.of("/usr/bin/setpriv"))
                    .as("setpriv, as this user has capabilities")
                    .isExecutable();
            limited.addAll(List.of("setpriv", "--bounding-set=-ipc_lock", "--inh-caps=-ipc_lock"));
        }
        limited.addAll(List.of("bash", "-c", "ulimit -l 64 && exec \"$@\"", "limited"));
        limited.addAll(JsonProcess.weft("doctor", "--set", "weft.memory.planned=1GiB"));
        Tool doctor = Tool.run(Map.of(), limited);
        assertThat(doctor.exit()).isEqualTo(1);
        assertThat(doctor.output())
                .contains(
                        "memlock is 64 KiB, but weft.memory.planned says that 1 GiB are going to be registered",
                        "memlock in /etc/security/limits.conf");
    }

    @Test
    @Order(7)
    void aRegistryThatIsDownIsNamedByReadinessAndByTheRoomThatWaitsForIt() throws Exception {
        Path place = Files.createDirectories(directory.resolve("registry-down"));
        try (Ranks others = new Ranks(place, RankTools.ENVIRONMENT)) {
            JsonProcess alone = others.startDecode(Ranks.layout());
            others.awaitReady();
            assertThat(get(alone, "/health/ready").statusCode()).isEqualTo(200);

            others.killRegistry();
            HttpResponse<String> unready = get(alone, "/health/ready");
            assertThat(unready.statusCode()).isEqualTo(503);
            RankTools.keep("curl .../health/ready", unready.body());
            assertThat(unready.body())
                    .contains("registry " + others.registry() + " does not accept a connection", "start it again");
            assertThat(get(alone, "/health/live").statusCode()).isEqualTo(200);

            alone.send(Map.of("op", "recv", "room", 7, "pages", Ranks.DESTINATION, "auxIndex", 2));
            awaitInspect(
                    alone,
                    "decode room 7: Bootstrapping",
                    "waits for prefill ranks to be found at registry " + others.registry());
        }
    }

    @Test
    @Order(8)
    void aDeadPeerIsLostAndItsRoomsFailWithItsName() throws Exception {
        announce(107, List.of(20, 21, 4), 2);
        assertThat(inspect(prefill))
                .contains("prefill room 107: WaitingForInput", "waits for the caller to send a chunk");
        decode.kill();
        awaitInspect(prefill, peer, ": LOST, 0 transfers");
        awaitLog(prefill, "WEFT-ROOM-FAILED engine ", "prefill room 107 with decode ranks ", "PEER_LOST: decode rank ");
    }

    @Test
    @Order(9)
    void aLostAbortIsAFailedRoomThatNamesWhoDidNotAnswerAndAPrefillRoomThatKnowsNothing() throws Exception {
        Map<String, String> environment = new HashMap<>(RankTools.ENVIRONMENT);
        // The recorder between the ranks holds no secret to register with.
        environment.remove("WEFT_SECRET");
        environment.put("WEFT_KV_DRAIN_TIMEOUT", "10s");
        try (Ranks one = new Ranks(Files.createDirectories(directory.resolve("lost-one")), environment);
                Ranks other = new Ranks(Files.createDirectories(directory.resolve("lost-other")), environment);
                Recorder recorder = new Recorder()) {
            JsonProcess sends = one.startPrefill(Ranks.layout());
            JsonProcess gives = other.startDecode(Ranks.layout());
            one.awaitReady();
            other.awaitReady();
            recorder.standAsWeft(
                    one.registry(), other.registry(), Ranks.places(1, 1, 1).getFirst());
            gives.send(Map.of("op", "recv", "room", 9, "pages", List.of(20, 21, 4), "auxIndex", 2));
            sends.send(Map.of("op", "open", "room", 9));
            awaitRoom(sends, 9, "WaitingForInput");

            recorder.lose("ABORT");
            gives.send(Map.of("op", "abort", "room", 9));
            awaitRoom(gives, 9, "Failed");
            String engine = sends.await("ready").get("engineKey").asString();
            awaitInspect(
                    gives,
                    "decode room 9: Failed",
                    "waits for its writers to be known quiet, then its pages are free: prefill rank 0 at 127.0.0.1:",
                    ", engine " + engine + " did not answer the abort for ",
                    " and is cut off after 10.0 s",
                    "lease DRAINING, CANCELLED: Aborted by AbortReq.");
            // Unlike a stopped one, the prefill rank answers, and its room is open: the abort is what is missing.
            String senders = inspect(sends);
            RankTools.keep("weft inspect (the prefill rank)", senders);
            assertThat(senders).contains("prefill room 9: WaitingForInput", "waits for the caller to send a chunk");

            gives.send(Map.of("op", "drain", "room", 9, "id", 1));
            JsonNode drained = gives.await("drained");
            assertThat(drained.get("how").asString()).isEqualTo("FENCED");
        }
    }

    /** A tool that ran to its end. */
    private record Tool(int exit, String output) {
        static Tool run(Map<String, String> environment, List<String> command) throws Exception {
            ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
            builder.environment().putAll(environment);
            Process process = builder.start();
            try {
                process.getOutputStream().close();
                String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                RankTools.keep(command.getLast(), output);
                return new Tool(process.waitFor(), output);
            } finally {
                process.destroyForcibly();
            }
        }
    }
}
