package io.weft.engine.internal.control.socket;

import static io.weft.engine.internal.control.socket.SocketControlPlaneTest.assertFails;
import static io.weft.engine.internal.control.socket.SocketControlPlaneTest.get;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weft.api.EngineDescriptor;
import io.weft.api.ErrorCode;
import io.weft.api.PeerState;
import io.weft.engine.internal.control.ControlSession;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Rules PEER-2, PEER-3 and TIME-1 with a peer that is killed, stopped and resumed. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class ControlProcessTest {
    private static final int HEARTBEAT = 100;
    private static final int SUSPECT = 1_000;
    private static final int LOST = 2_500;

    private static TestEngine engine(int lostMillis) {
        return TestEngine.start(
                "parent",
                s -> s.heartbeat(
                        Duration.ofMillis(HEARTBEAT), Duration.ofMillis(SUSPECT), Duration.ofMillis(lostMillis)));
    }

    private static ControlChild child(int port, int lostMillis) throws Exception {
        return new ControlChild("child", TestEngine.nextIncarnation(), port, HEARTBEAT, SUSPECT, lostMillis);
    }

    @Test
    void aKilledPeerIsLostAtOnceAndItsSuccessorIsUsable() throws Exception {
        try (TestEngine engine = engine(LOST)) {
            EngineDescriptor old;
            try (ControlChild first = child(0, LOST)) {
                old = first.descriptor;
                ControlSession session = engine.plane.connect(old, TestEngine.deadline());
                assertThat(get(session.fetchKey("memcpy", 1, TestEngine.deadline())))
                        .hasSize(4);
                first.signal("STOP");
                CompletableFuture<byte[]> waits = session.fetchKey("memcpy", 2, TestEngine.deadline());
                first.killAndWait();
                assertFails(ErrorCode.PEER_LOST, () -> get(waits));
                await().until(() -> engine.plane.find("child").isEmpty());
                assertThat(session.state()).isEqualTo(PeerState.LOST);
                assertFails(ErrorCode.UNREACHABLE, () -> engine.plane.connect(old, TestEngine.deadline()));
                assertThat(first.seen()).contains("open parent");
            }
            try (ControlChild second = child(old.port(), LOST)) {
                assertFails(ErrorCode.STALE_DESCRIPTOR, () -> engine.plane.connect(old, TestEngine.deadline()));
                ControlSession session = engine.plane.connect(second.descriptor, TestEngine.deadline());
                assertThat(get(session.fetchKey("memcpy", 1, TestEngine.deadline())))
                        .hasSize(4);
            }
        }
    }

    @Test
    void aStoppedPeerIsSuspectThenUpAgainOrLost() throws Exception {
        try (TestEngine engine = engine(LOST);
                ControlChild child = child(0, LOST)) {
            ControlSession session = engine.plane.connect(child.descriptor, TestEngine.deadline());
            child.signal("STOP");
            await().until(() -> engine.handler.events.contains("SUSPECT child"));
            child.signal("CONT");
            await().until(() -> engine.handler.events.contains("UP child"));
            assertThat(get(session.call("memcpy", new byte[2], TestEngine.deadline())))
                    .hasSize(2);

            child.signal("STOP");
            CompletableFuture<byte[]> waits = session.call("memcpy", new byte[1], TestEngine.deadline());
            assertFails(ErrorCode.PEER_LOST, () -> get(waits));
            await().until(() -> engine.handler.events.stream().anyMatch(e -> e.startsWith("closed child PEER_LOST")));
            // Dialling a stopped process ends at the deadline, also while its kernel still accepts.
            assertFails(
                    ErrorCode.UNREACHABLE,
                    () -> engine.plane.connect(child.descriptor, TestEngine.in(Duration.ofMillis(300))));
            child.signal("CONT");
            child.awaitLine("closed parent");
            ControlSession again = engine.plane.connect(child.descriptor, TestEngine.deadline());
            assertThat(get(again.call("memcpy", new byte[2], TestEngine.deadline())))
                    .hasSize(2);
        }
    }

    /** The child is the judge here: it was stopped for longer than its lost time, and the parent spoke all the while. */
    @Test
    void whoWasStoppedDoesNotGiveUpItsPeers() throws Exception {
        try (TestEngine engine = engine(60_000);
                ControlChild child = child(0, LOST)) {
            ControlSession session = engine.plane.connect(child.descriptor, TestEngine.deadline());
            child.awaitLine("open parent");
            child.signal("STOP");
            await().until(() -> engine.handler.events.contains("SUSPECT child"));
            long stopped = System.nanoTime();
            await().until(() ->
                    System.nanoTime() - stopped > Duration.ofMillis(LOST).toNanos());
            child.signal("CONT");
            await().until(() -> engine.handler.events.contains("UP child"));
            assertThat(get(session.call("memcpy", new byte[2], TestEngine.deadline())))
                    .hasSize(2);
            session.send("memcpy", "still the same session".getBytes(UTF_8));
            child.awaitLine("message still the same session");
            assertThat(child.seen()).noneMatch(line -> line.startsWith("closed"));
        }
    }
}
