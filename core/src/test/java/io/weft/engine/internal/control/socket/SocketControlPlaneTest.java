package io.weft.engine.internal.control.socket;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.weft.api.EngineDescriptor;
import io.weft.api.ErrorCode;
import io.weft.api.PeerState;
import io.weft.api.WeftException;
import io.weft.engine.internal.control.ControlSession;
import io.weft.engine.internal.control.InboundEnd;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class SocketControlPlaneTest {
    private final List<TestEngine> engines = new ArrayList<>();

    @AfterEach
    void closeAll() {
        engines.forEach(TestEngine::close);
    }

    private TestEngine engine(String key) {
        return keep(TestEngine.start(key));
    }

    private TestEngine keep(TestEngine engine) {
        engines.add(engine);
        return engine;
    }

    @Test
    void bothSidesHearWhatTheOtherIs() {
        TestEngine a = engine("a");
        TestEngine b = engine("b");
        ControlSession toB = a.connect(b);
        assertThat(toB.peer()).usingRecursiveComparison().isEqualTo(b.handler.hello());
        assertThat(toB.state()).isEqualTo(PeerState.UP);
        assertThat(toB.remoteHost()).isEqualTo("127.0.0.1");
        await().until(() -> b.plane.find("a").isPresent());
        assertThat(b.plane.find("a").orElseThrow().peer())
                .usingRecursiveComparison()
                .isEqualTo(a.handler.hello());
    }

    @Test
    void connectReusesTheSessionWhoeverDialled() {
        TestEngine a = engine("a");
        TestEngine b = engine("b");
        ControlSession toB = a.connect(b);
        assertThat(a.connect(b)).isSameAs(toB);
        ControlSession toA = b.connect(a);
        assertThat(b.connect(a)).isSameAs(toA);
        assertThat(a.count("sessions.opened")).isEqualTo(1);
        assertThat(b.count("sessions.opened")).isEqualTo(1);
    }

    /** The I/O thread ends a session a moment after it was told to; who connects in that moment must not get what dies. */
    @Test
    void connectGivesNoSessionThatThisSideIsClosing() {
        TestEngine a = engine("a");
        TestEngine b = engine("b");
        for (int i = 0; i < 20; i++) {
            ControlSession old = a.connect(b);
            old.close("the test fences it");
            ControlSession fresh = a.connect(b);
            assertThat(fresh).as("try %d", i).isNotSameAs(old);
            assertThat(fresh.state()).as("try %d", i).isEqualTo(PeerState.UP);
        }
    }

    @Test
    void requestsAreAnswered() throws Exception {
        TestEngine a = engine("a");
        TestEngine b = engine("b");
        ControlSession toB = a.connect(b);
        assertThat(get(toB.fetchKey("memcpy", 0x80000001, TestEngine.deadline())))
                .containsExactly(0x80, 0, 0, 1);
        get(toB.revoke(7, TestEngine.deadline()));
        assertThat(b.handler.events).contains("revoked 7");
        assertThat(get(toB.requestFence("memcpy", TestEngine.deadline()))).isTrue();
        assertThat(get(toB.requestFence("other", TestEngine.deadline()))).isFalse();
        byte[] large = new byte[65_536];
        large[0] = 9;
        assertThat(get(toB.call("memcpy", large, TestEngine.deadline()))[65_535])
                .isEqualTo((byte) 9);
        ControlSession toA = b.connect(a);
        assertThat(get(toA.call("memcpy", new byte[] {1, 2}, TestEngine.deadline())))
                .containsExactly(2, 1);
    }

    @Test
    void refusalsKeepTheirCodeAndText() {
        TestEngine a = engine("a");
        TestEngine b = engine("b");
        ControlSession toB = a.connect(b);
        assertFails(ErrorCode.UNSUPPORTED, () -> get(toB.fetchKey("nvlink", 1, TestEngine.deadline())))
                .hasMessageContaining("no backend nvlink")
                .hasMessageContaining("peer b");
        assertFails(ErrorCode.INVALID_ARGUMENT, () -> get(toB.call("memcpy", new byte[65_537], TestEngine.deadline())));
        assertFails(ErrorCode.INVALID_ARGUMENT, () -> get(toB.fetchKey("x".repeat(65), 1, TestEngine.deadline())));
    }

    @Test
    void aDefectInTheHandlerIsInternalAndTheSessionLives() throws Exception {
        TestEngine a = engine("a");
        TestEngine b = keep(new TestEngine(
                new RecordingHandler("b", TestEngine.nextIncarnation()) {
                    @Override
                    public boolean fence(ControlSession from, String backend, long deadlineNanos) {
                        throw new NoClassDefFoundError("x");
                    }

                    @Override
                    public void message(ControlSession from, String backend, byte[] message) {
                        throw new IllegalStateException("a defect, as this test wants");
                    }
                },
                s -> s));
        ControlSession toB = a.connect(b);
        assertFails(ErrorCode.INTERNAL, () -> get(toB.requestFence("memcpy", TestEngine.deadline())));
        assertThat(toB.send("memcpy", new byte[1])).isTrue();
        assertThat(get(toB.fetchKey("memcpy", 1, TestEngine.deadline()))).hasSize(4);
    }

    @Test
    void endsAndMessagesArriveInOrder() {
        TestEngine a = engine("a");
        TestEngine b = engine("b");
        ControlSession toB = a.connect(b);
        for (int i = 0; i < 20_000; i++) {
            InboundEnd end =
                    new InboundEnd(i, i % 20, i % 20 == 0 ? "" : "text " + i, i % 3 == 0 ? new byte[i % 4097] : null);
            while (!toB.tellEnd(end)) {
                assertThat(toB.state()).isEqualTo(PeerState.UP);
                Thread.onSpinWait();
            }
        }
        assertThat(toB.send("memcpy", "last".getBytes(UTF_8))).isTrue();
        await().until(() -> !b.handler.messages.isEmpty());
        assertThat(b.handler.messages).containsExactly("memcpy:last");
        assertThat(b.handler.ends.stream().map(InboundEnd::transferId))
                .containsExactlyElementsOf(
                        IntStream.range(0, 20_000).mapToObj(i -> (long) i).toList());
        InboundEnd sample = List.copyOf(b.handler.ends).get(8_193);
        assertThat(sample.code()).isEqualTo(13);
        assertThat(sample.text()).isEqualTo("text 8193");
        assertThat(sample.notification()).hasSize(8_193 % 4_097);
    }

    @Test
    void anUnansweredRequestEndsAtItsDeadline() {
        CountDownLatch release = new CountDownLatch(1);
        TestEngine a = engine("a");
        TestEngine b = keep(new TestEngine(
                new RecordingHandler("b", TestEngine.nextIncarnation()) {
                    @Override
                    public byte[] exportKey(ControlSession from, String backend, int regionId) {
                        awaitQuietly(release);
                        return new byte[1];
                    }
                },
                s -> s));
        ControlSession toB = a.connect(b);
        long started = System.nanoTime();
        assertFails(
                ErrorCode.DEADLINE_EXCEEDED,
                () -> get(toB.fetchKey("memcpy", 1, TestEngine.in(Duration.ofMillis(30)))));
        assertThat(System.nanoTime() - started).isBetween(30_000_000L, 10_000_000_000L);
        assertFails(ErrorCode.DEADLINE_EXCEEDED, () -> get(toB.fetchKey("memcpy", 1, System.nanoTime())));
        release.countDown();
    }

    /** A blocked handler holds back its own kind of request of its own peer, and nothing else. */
    @Test
    void blockedHandlersHoldBackNobodyElse() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        AtomicInteger blocked = new AtomicInteger();
        TestEngine a = engine("a");
        TestEngine c = engine("c");
        TestEngine b = keep(new TestEngine(
                new RecordingHandler("b", TestEngine.nextIncarnation()) {
                    @Override
                    public byte[] exportKey(ControlSession from, String backend, int regionId) {
                        if (from.peer().key().equals("a")) {
                            blocked.incrementAndGet();
                            awaitQuietly(release);
                        }
                        return super.exportKey(from, backend, regionId);
                    }

                    @Override
                    public void message(ControlSession from, String backend, byte[] message) {
                        if (from.peer().key().equals("a")) {
                            awaitQuietly(release);
                        }
                        super.message(from, backend, message);
                    }
                },
                s -> s));
        ControlSession toB = a.connect(b);
        List<CompletableFuture<byte[]>> keys = IntStream.range(0, 400)
                .mapToObj(i -> toB.fetchKey("memcpy", i, TestEngine.deadline()))
                .toList();
        assertThat(toB.send("memcpy", "blocked".getBytes(UTF_8))).isTrue();
        await().until(() -> blocked.get() > 0);
        assertThat(get(toB.requestFence("memcpy", TestEngine.deadline()))).isTrue();
        assertThat(get(toB.call("memcpy", new byte[3], TestEngine.deadline()))).hasSize(3);
        ControlSession cToB = c.connect(b);
        assertThat(get(cToB.fetchKey("memcpy", 1, TestEngine.deadline()))).hasSize(4);
        assertThat(cToB.send("memcpy", "free".getBytes(UTF_8))).isTrue();
        await().until(() -> b.handler.messages.contains("memcpy:free"));
        // More than may wait are refused at once, not kept.
        assertFails(ErrorCode.RESOURCE_EXHAUSTED, () -> get(keys.get(399)));
        assertThat(b.count("requests.refused")).isPositive();
        release.countDown();
        assertThat(get(keys.get(0))).hasSize(4);
        await().until(() -> b.handler.messages.contains("memcpy:blocked"));
    }

    @Test
    void tooManyRequestsWithoutAnswerAreRefusedHere() {
        CountDownLatch release = new CountDownLatch(1);
        TestEngine a = keep(TestEngine.start("a", s -> s.limits(8, 8, 3, 1 << 20)));
        TestEngine b = keep(new TestEngine(
                new RecordingHandler("b", TestEngine.nextIncarnation()) {
                    @Override
                    public byte[] call(ControlSession from, String backend, byte[] request) {
                        awaitQuietly(release);
                        return request;
                    }
                },
                s -> s));
        ControlSession toB = a.connect(b);
        for (int i = 0; i < 3; i++) {
            toB.call("memcpy", new byte[1], TestEngine.deadline());
        }
        assertFails(ErrorCode.RESOURCE_EXHAUSTED, () -> get(toB.call("memcpy", new byte[1], TestEngine.deadline())));
        release.countDown();
    }

    @Test
    void closingASessionIsToldToThePeerAndTheNextConnectMakesAnother() throws Exception {
        TestEngine a = engine("a");
        TestEngine b = engine("b");
        ControlSession first = a.connect(b);
        first.close("peer removed");
        first.close("again");
        await().until(() -> b.handler.events.stream().anyMatch(e -> e.startsWith("closed a CLOSED")));
        await().until(() -> a.handler.events.stream().anyMatch(e -> e.startsWith("closed b CLOSED")));
        assertThat(b.handler.events.getLast()).contains("peer removed");
        assertThat(first.state()).isEqualTo(PeerState.LOST);
        assertThat(first.tellEnd(new InboundEnd(1, 0, "", null))).isFalse();
        assertFails(ErrorCode.PEER_LOST, () -> get(first.fetchKey("memcpy", 1, TestEngine.deadline())));
        ControlSession second = b.connect(a);
        assertThat(get(second.fetchKey("memcpy", 1, TestEngine.deadline()))).hasSize(4);
        assertThat(a.handler.events.stream().filter(e -> e.startsWith("closed")))
                .hasSize(1);
    }

    @Test
    void aClosedEngineIsLostToItsPeersAndItsRequestsEnd() {
        CountDownLatch release = new CountDownLatch(1);
        TestEngine a = engine("a");
        TestEngine b = keep(new TestEngine(
                new RecordingHandler("b", TestEngine.nextIncarnation()) {
                    @Override
                    public byte[] call(ControlSession from, String backend, byte[] request) {
                        awaitQuietly(release);
                        return request;
                    }
                },
                s -> s));
        ControlSession toB = a.connect(b);
        CompletableFuture<byte[]> waits = toB.call("memcpy", new byte[1], TestEngine.deadline());
        CompletableFuture<Void> closing = CompletableFuture.runAsync(b::close);
        assertFails(ErrorCode.PEER_LOST, () -> get(waits));
        release.countDown();
        closing.join();
        await().until(() -> a.plane.find("b").isEmpty());
        assertFails(ErrorCode.UNREACHABLE, () -> a.connect(b));
        assertFails(ErrorCode.CLOSED, () -> b.connect(a));
        b.close();
    }

    @Test
    void aSessionWithOneself() throws Exception {
        TestEngine a = engine("a");
        ControlSession self = a.connect(a);
        assertThat(a.connect(a)).isSameAs(self);
        assertThat(a.plane.find("a")).containsSame(self);
        assertThat(get(self.fetchKey("memcpy", 5, TestEngine.deadline()))).containsExactly(0, 0, 0, 5);
        assertFails(ErrorCode.UNSUPPORTED, () -> get(self.fetchKey("other", 5, TestEngine.deadline())));
        assertThat(get(self.call("memcpy", new byte[] {1, 2}, TestEngine.deadline())))
                .containsExactly(2, 1);
        assertThat(get(self.requestFence("memcpy", TestEngine.deadline()))).isTrue();
        get(self.revoke(3, TestEngine.deadline()));
        assertThat(self.tellEnd(new InboundEnd(1, 0, "", new byte[2]))).isTrue();
        assertThat(self.send("memcpy", "to me".getBytes(UTF_8))).isTrue();
        await().until(() -> a.handler.messages.contains("memcpy:to me"));
        assertThat(a.handler.ends).hasSize(1);
        self.close("done");
        await().until(() -> a.handler.events.stream().anyMatch(e -> e.startsWith("closed a")));
        assertThat(a.connect(a)).isNotSameAs(self);
    }

    /** Rule PEER-5. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void simultaneousConnectsEndWithOneSession(boolean secret) throws Exception {
        for (int round = 0; round < 60; round++) {
            try (TestEngine a = TestEngine.start("a", s -> s.secret(secret ? "s" : null));
                    TestEngine b = TestEngine.start("b", s -> s.secret(secret ? "s" : null))) {
                CyclicBarrier together = new CyclicBarrier(2);
                CompletableFuture<ControlSession> toB = dialTogether(together, a, b);
                CompletableFuture<ControlSession> toA = dialTogether(together, b, a);
                assertThat(get(toB.join().call("memcpy", new byte[] {1, 2}, TestEngine.deadline())))
                        .containsExactly(2, 1);
                assertThat(get(toA.join().call("memcpy", new byte[] {3, 4}, TestEngine.deadline())))
                        .containsExactly(4, 3);
                assertThat(a.plane.find("b")).containsSame(toB.join());
                assertThat(b.plane.find("a")).containsSame(toA.join());
                assertThat(a.handler.events).as("round %d", round).containsExactly("open b");
                assertThat(b.handler.events).as("round %d", round).containsExactly("open a");
            }
        }
    }

    @Test
    void manyCallersShareOneDial() {
        TestEngine a = engine("a");
        TestEngine b = engine("b");
        List<CompletableFuture<ControlSession>> all = IntStream.range(0, 32)
                .mapToObj(i -> CompletableFuture.supplyAsync(() -> a.connect(b), Thread::startVirtualThread))
                .toList();
        assertThat(all.stream().map(CompletableFuture::join).distinct()).hasSize(1);
        assertThat(b.count("connections.accepted")).isEqualTo(1);
    }

    /** Rules REG-7 and PEER-3. */
    @Test
    void anotherIncarnationIsStaleAndItsOwnDescriptorWorks() {
        TestEngine a = engine("a");
        TestEngine old = engine("b");
        EngineDescriptor stale = old.descriptor();
        a.connect(old);
        old.close();
        TestEngine restarted = keep(TestEngine.start("b", s -> s.listen("127.0.0.1", stale.port())));
        assertFails(ErrorCode.STALE_DESCRIPTOR, () -> a.plane.connect(stale, TestEngine.deadline()))
                .hasMessageContaining(Long.toHexString(old.handler.hello().incarnation()))
                .hasMessageContaining(Long.toHexString(restarted.handler.hello().incarnation()));
        ControlSession again = a.connect(restarted);
        assertThat(again.peer().incarnation())
                .isEqualTo(restarted.handler.hello().incarnation());
        assertThat(a.plane.find("b")).containsSame(again);
    }

    /** Rule VER-1. */
    @ParameterizedTest
    @CsvSource({"1, 0, 1, 0", "1, 0, 1, 1", "1, 4, 1, 3"})
    void minorsInteroperate(int majorA, int minorA, int majorB, int minorB) throws Exception {
        TestEngine a = keep(new TestEngine(new RecordingHandler("a", 10, majorA, minorA), s -> s));
        TestEngine b = keep(new TestEngine(new RecordingHandler("b", 11, majorB, minorB), s -> s));
        assertThat(a.connect(b).peer().wireMinor()).isEqualTo(minorB);
        assertThat(b.connect(a).peer().wireMinor()).isEqualTo(minorA);
    }

    /** Rule VER-1. */
    @Test
    void anotherMajorIsIncompatibleNamingBoth() {
        TestEngine a = keep(new TestEngine(new RecordingHandler("a", 10, 1, 3), s -> s));
        TestEngine b = keep(new TestEngine(new RecordingHandler("b", 11, 2, 7), s -> s));
        assertFails(ErrorCode.INCOMPATIBLE, () -> a.connect(b))
                .hasMessageContaining("1.3")
                .hasMessageContaining("2.7");
        // Also when the descriptor does not tell.
        EngineDescriptor lies = new EngineDescriptor(
                "b",
                b.descriptor().nodeId().replace("weft=2.7", "weft=1.0"),
                "h",
                b.address.host(),
                b.address.port(),
                0);
        assertFails(ErrorCode.INCOMPATIBLE, () -> a.plane.connect(lies, TestEngine.deadline()))
                .hasMessageContaining("1.3")
                .hasMessageContaining("2.7");
    }

    @Test
    void aPlainMoriEngineHasNoControlConnection() {
        TestEngine a = engine("a");
        EngineDescriptor plain = new EngineDescriptor("mori", "node-a", "h", "127.0.0.1", 1, 0);
        assertFails(ErrorCode.INVALID_ARGUMENT, () -> a.plane.connect(plain, TestEngine.deadline()))
                .hasMessageContaining("MORI");
    }

    @Test
    void nobodyThereIsUnreachableAtOnce() throws Exception {
        TestEngine a = engine("a");
        TestEngine b = engine("b");
        EngineDescriptor gone = b.descriptor();
        b.close();
        assertFails(ErrorCode.UNREACHABLE, () -> a.plane.connect(gone, TestEngine.deadline()))
                .hasMessageContaining("port " + gone.port())
                .hasMessageContaining("engine b");
        EngineDescriptor named = new EngineDescriptor("b", gone.nodeId(), "h", "no-numeric-host", 1, 0);
        assertFails(ErrorCode.UNREACHABLE, () -> a.plane.connect(named, TestEngine.deadline()));
    }

    @Test
    void aSilentListenerIsUnreachableAtTheDeadline() throws Exception {
        TestEngine a = engine("a");
        try (ServerSocket silent = new ServerSocket(0)) {
            EngineDescriptor d = new EngineDescriptor(
                    "b", engine("b").descriptor().nodeId(), "h", "127.0.0.1", silent.getLocalPort(), 0);
            assertFails(ErrorCode.UNREACHABLE, () -> a.plane.connect(d, TestEngine.in(Duration.ofMillis(200))))
                    .hasMessageContaining("did not answer");
        }
    }

    @Test
    void moreSessionsThanTheLimitAreRefused() {
        TestEngine b = keep(TestEngine.start("b", s -> s.limits(8, 1, 8, 1 << 20)));
        engine("a").connect(b);
        assertFails(ErrorCode.RESOURCE_EXHAUSTED, () -> engine("c").connect(b));
    }

    @ParameterizedTest
    @CsvSource({"127.0.0.1, ", "::1, ", "0.0.0.0, ", "::, ", "localhost, ", "0.0.0.0, 127.0.0.1"})
    void listensAndAdvertises(String listen, String advertise) {
        TestEngine a = engine("a");
        TestEngine b = keep(TestEngine.start("b", s -> s.listen(listen, 0).advertise(advertise, 0)));
        assertThat(b.address.host()).isNotIn("0.0.0.0", "::", "0:0:0:0:0:0:0:0").doesNotContain("%");
        assertThat(b.address.port()).isPositive();
        if (advertise != null) {
            assertThat(b.address.host()).isEqualTo(advertise);
        }
        assertThat(a.connect(b).peer().key()).isEqualTo("b");
    }

    @Test
    void whatCannotBeBoundOrAdvertisedIsSaid() {
        TestEngine a = engine("a");
        assertFails(
                        ErrorCode.RESOURCE_EXHAUSTED,
                        () -> TestEngine.start("b", s -> s.listen("127.0.0.1", a.address.port())))
                .hasMessageContaining("listen.port=" + a.address.port());
        assertFails(ErrorCode.INVALID_ARGUMENT, () -> TestEngine.start("b", s -> s.listen("192.0.2.1", 0)));
        assertFails(ErrorCode.INVALID_ARGUMENT, () -> TestEngine.start("b", s -> s.advertise("0.0.0.0", 0)))
                .hasMessageContaining("wildcard");
        assertThatThrownBy(() -> SocketSettings.builder()
                        .heartbeat(Duration.ofSeconds(1), Duration.ofSeconds(1), Duration.ofSeconds(2)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void closeLeavesNoThreadAndNoPort() throws Exception {
        TestEngine a = engine("a");
        TestEngine b = engine("b");
        get(a.connect(b).call("memcpy", new byte[1], TestEngine.deadline()));
        a.close();
        b.close();
        await().until(() -> Thread.getAllStackTraces().keySet().stream()
                .noneMatch(t -> t.getName().equals("weft-control-io-" + a.address.port())));
        try (ServerSocket reuse = new ServerSocket(a.address.port())) {
            assertThat(reuse.isBound()).isTrue();
        }
    }

    @Test
    void aHandlerMayCloseItsOwnEngine() {
        CompletableFuture<TestEngine> self = new CompletableFuture<>();
        CountDownLatch returned = new CountDownLatch(1);
        TestEngine a = engine("a");
        TestEngine b = keep(new TestEngine(
                new RecordingHandler("b", TestEngine.nextIncarnation()) {
                    @Override
                    public void message(ControlSession from, String backend, byte[] message) {
                        self.join().close();
                        returned.countDown();
                    }
                },
                s -> s));
        self.complete(b);
        assertThat(a.connect(b).send("memcpy", new byte[1])).isTrue();
        awaitQuietly(returned);
        await().until(() -> a.plane.find("b").isEmpty());
    }

    private static CompletableFuture<ControlSession> dialTogether(
            CyclicBarrier together, TestEngine from, TestEngine to) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        together.await(10, TimeUnit.SECONDS);
                    } catch (Exception broken) {
                        throw new IllegalStateException(broken);
                    }
                    return from.connect(to);
                },
                work -> Thread.ofPlatform().start(work));
    }

    static void awaitQuietly(CountDownLatch latch) {
        try {
            assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
        }
    }

    static <T> T get(Future<T> future) throws Exception {
        try {
            return future.get(30, TimeUnit.SECONDS);
        } catch (ExecutionException failed) {
            throw (Exception) failed.getCause();
        }
    }

    static org.assertj.core.api.AbstractThrowableAssert<?, ? extends Throwable> assertFails(
            ErrorCode code, ThrowingCallable call) {
        return assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        WeftException.class,
                        e -> assertThat(e.code()).as(e.getMessage()).isEqualTo(code));
    }
}
