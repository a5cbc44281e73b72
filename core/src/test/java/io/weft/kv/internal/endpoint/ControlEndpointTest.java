package io.weft.kv.internal.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.api.WeftException;
import io.weft.kv.wire.AuxData;
import io.weft.kv.wire.Decoded;
import io.weft.kv.wire.Extras;
import io.weft.kv.wire.KvCodec;
import io.weft.kv.wire.KvMessage;
import io.weft.kv.wire.NetworkAddress;
import io.weft.kv.wire.Receiver;
import io.weft.kv.wire.RoomStatus;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.zeromq.SocketType;
import org.zeromq.ZContext;
import org.zeromq.ZMQ;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class ControlEndpointTest {
    private static final Duration GRACE = Duration.ofMillis(700);

    private final List<ControlEndpoint> open = new ArrayList<>();

    /** Collects what an endpoint hears. */
    private static final class Heard implements EndpointEvents {
        final BlockingQueue<List<byte[]>> messages = new LinkedBlockingQueue<>();
        final BlockingQueue<NetworkAddress> unreachable = new LinkedBlockingQueue<>();
        final BlockingQueue<NetworkAddress> disconnected = new LinkedBlockingQueue<>();

        @Override
        public void onMessage(List<byte[]> frames) {
            messages.add(frames);
        }

        @Override
        public void onUnreachable(NetworkAddress address, String why) {
            unreachable.add(address);
        }

        @Override
        public void onDisconnected(NetworkAddress address) {
            disconnected.add(address);
        }

        KvMessage next() throws InterruptedException {
            List<byte[]> frames = messages.poll(20, TimeUnit.SECONDS);
            assertThat(frames).as("a message").isNotNull();
            return ((Decoded.Accepted) KvCodec.decode(Receiver.DECODE, frames)).message();
        }
    }

    @Test
    void anAddressThatWasGivenUpFailsUntilItAcceptsConnections() throws Exception {
        Heard heard = new Heard();
        ControlEndpoint from = endpoint("127.0.0.1", heard);
        int port;
        try (ServerSocket once = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = once.getLocalPort();
        }
        NetworkAddress gone = new NetworkAddress("127.0.0.1", port);
        assertThat(from.isFailing(gone)).as("never tried").isFalse();
        from.send(gone, new RoomStatus(1, 4, 0, "", Extras.NONE));
        assertThat(heard.unreachable.poll(20, TimeUnit.SECONDS)).isEqualTo(gone);
        Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> from.openSockets() == 0);
        assertThat(from.isFailing(gone)).as("given up").isTrue();
        try (ServerSocket back = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            assertThat(from.isFailing(gone)).as("accepts at %s", back).isFalse();
        }
        assertThat(from.isFailing(gone))
                .as("it was back, so it is not remembered")
                .isFalse();
    }

    private ControlEndpoint endpoint(String host, EndpointEvents events) {
        ControlEndpoint endpoint = new ControlEndpoint("test", host, GRACE, System::nanoTime, events);
        open.add(endpoint);
        endpoint.start();
        return endpoint;
    }

    @AfterEach
    void closeAll() {
        open.forEach(ControlEndpoint::close);
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "::1"})
    void messagesArriveInOrderWithAllTheirFrames(String host) throws Exception {
        Heard heard = new Heard();
        ControlEndpoint decode = endpoint(host, heard);
        ControlEndpoint prefill = endpoint(host, new Heard());
        for (int i = 0; i < 200; i++) {
            assertThat(prefill.send(decode.address(), new AuxData(i, 0, 1, new byte[i], Extras.NONE)))
                    .isTrue();
            prefill.send(decode.address(), new RoomStatus(i, 4, 0, "", Extras.from(7, "key")));
        }
        for (int i = 0; i < 200; i++) {
            assertThat(heard.next())
                    .isInstanceOfSatisfying(
                            AuxData.class, a -> assertThat(a.data().length).isEqualTo((int) a.room()));
            KvMessage status = heard.next();
            assertThat(status).isInstanceOf(RoomStatus.class);
            assertThat(status.extras().epoch()).isEqualTo(7);
        }
        assertThat(prefill.openSockets()).isEqualTo(1);
    }

    @Test
    void anAddressWhereNobodyListensIsReportedAndForgotten() throws Exception {
        Heard heard = new Heard();
        ControlEndpoint prefill = endpoint("127.0.0.1", heard);
        NetworkAddress nobody = new NetworkAddress("127.0.0.1", 9);
        prefill.send(nobody, new RoomStatus(1, 4, 0, "", Extras.NONE));
        assertThat(heard.unreachable.poll(20, TimeUnit.SECONDS)).isEqualTo(nobody);
        Awaitility.await().until(() -> prefill.openSockets() == 0);
    }

    @Test
    void aPeerThatAcceptsAndNeverReadsHoldsUpNobody() throws Exception {
        Heard heard = new Heard();
        Heard other = new Heard();
        ControlEndpoint prefill = endpoint("127.0.0.1", heard);
        ControlEndpoint decode = endpoint("127.0.0.1", other);
        try (ServerSocket deaf = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            NetworkAddress address = new NetworkAddress("127.0.0.1", deaf.getLocalPort());
            AuxData large = new AuxData(1, 0, 1, new byte[100_000], Extras.NONE);
            long longest = 0;
            for (int i = 0; i < 2_000; i++) {
                long begun = System.nanoTime();
                prefill.send(address, large);
                longest = Math.max(longest, System.nanoTime() - begun);
            }
            prefill.send(decode.address(), new RoomStatus(2, 4, 0, "", Extras.NONE));
            assertThat(other.next()).isInstanceOf(RoomStatus.class);
            assertThat(longest).isLessThan(TimeUnit.SECONDS.toNanos(5));
            assertThat(heard.unreachable.poll(20, TimeUnit.SECONDS)).isEqualTo(address);
        }
    }

    @Test
    void aPeerThatDiesIsReportedAndOneThatComesBackIsReachedAgain() throws Exception {
        Heard heard = new Heard();
        ControlEndpoint prefill = endpoint("127.0.0.1", heard);
        Heard first = new Heard();
        ControlEndpoint decode = endpoint("127.0.0.1", first);
        NetworkAddress address = decode.address();
        prefill.send(address, new RoomStatus(1, 4, 0, "", Extras.NONE));
        first.next();
        decode.close();
        assertThat(heard.unreachable.poll(20, TimeUnit.SECONDS)).isEqualTo(address);
        assertThat(heard.disconnected).as("told before it is given up").containsExactly(address);

        try (ZContext context = new ZContext()) {
            ZMQ.Socket again = context.createSocket(SocketType.PULL);
            again.bind(address.tcp());
            again.setReceiveTimeOut(1_000);
            // On a busy host the short grace of this test may end before the handshake: then the sender is told and
            // sends again.
            Awaitility.await().atMost(GRACE.multipliedBy(50)).until(() -> {
                prefill.send(address, new RoomStatus(2, 4, 0, "", Extras.NONE));
                return again.recv() != null;
            });
        }
    }

    @Test
    void anIdleConnectionIsGivenUpAndOpenedAgain() throws Exception {
        AtomicLong passed = new AtomicLong();
        Heard heard = new Heard();
        Heard other = new Heard();
        ControlEndpoint prefill =
                new ControlEndpoint("test", "127.0.0.1", GRACE, () -> System.nanoTime() + passed.get(), heard);
        open.add(prefill);
        prefill.start();
        ControlEndpoint decode = endpoint("127.0.0.1", other);
        for (int i = 1; i < 4; i++) {
            assertThat(prefill.send(decode.address(), new RoomStatus(i, 4, 0, "", Extras.NONE)))
                    .isTrue();
            assertThat(other.next())
                    .isInstanceOfSatisfying(
                            RoomStatus.class, m -> assertThat(m.room()).isPositive());
            assertThat(prefill.openSockets()).isEqualTo(1);
            passed.addAndGet(TimeUnit.MINUTES.toNanos(11));
            Awaitility.await().until(() -> prefill.openSockets() == 0);
        }
        assertThat(heard.unreachable).isEmpty();
    }

    @Test
    void aPeerThatIsAwayForLessThanTheGraceLosesNothing() throws Exception {
        Heard heard = new Heard();
        ControlEndpoint prefill = endpoint("127.0.0.1", heard);
        int port;
        try (ZContext context = new ZContext()) {
            ZMQ.Socket probe = context.createSocket(SocketType.PULL);
            port = probe.bindToRandomPort("tcp://127.0.0.1");
        }
        prefill.send(new NetworkAddress("127.0.0.1", port), new RoomStatus(1, 4, 0, "", Extras.NONE));
        try (ZContext context = new ZContext()) {
            ZMQ.Socket late = context.createSocket(SocketType.PULL);
            late.bind("tcp://127.0.0.1:" + port);
            late.setReceiveTimeOut(20_000);
            assertThat(late.recv()).isNotNull();
        }
        assertThat(heard.unreachable).isEmpty();
    }

    @Test
    void aHostThatIsNotOursIsRefusedWithTheOptionToSet() {
        assertThatThrownBy(() -> new ControlEndpoint("test", "203.0.113.7", GRACE, System::nanoTime, new Heard()))
                .isInstanceOf(WeftException.class)
                .hasMessageContainingAll("203.0.113.7", "weft.kv.host");
    }

    @Test
    void closedEndpointsLeaveNoThread() throws Exception {
        for (int i = 0; i < 5; i++) {
            ControlEndpoint a = endpoint("127.0.0.1", new Heard());
            a.send(a.address(), new RoomStatus(1, 4, 0, "", Extras.NONE));
            a.close();
        }
        Awaitility.await()
                .until(() -> Thread.getAllStackTraces().keySet().stream()
                        .noneMatch(t -> t.getName().startsWith("test-")
                                || t.getName().contains("reaper")
                                || t.getName().startsWith("iothread")));
    }
}
