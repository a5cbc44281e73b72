package io.weft.backend.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.weft.api.ErrorCode;
import io.weft.api.WeftException;
import io.weft.spi.Link;
import io.weft.spi.Peer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Connections whose other end has not shown who it is, or is not who it says (rule SEC-3). */
@Timeout(60)
class StrangersTest {
    private FakeEngine a;
    private FakeEngine b;

    @BeforeEach
    void open() {
        a = new FakeEngine("a", "greeting-timeout", "300ms");
        b = new FakeEngine("b", "greeting-timeout", "300ms");
    }

    @AfterEach
    void close() {
        a.close();
        b.close();
    }

    private static long soon() {
        return System.nanoTime() + 5_000_000_000L;
    }

    /** Sends bytes and returns how many came back before the connection ended. */
    private int answerTo(ByteBuffer bytes) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), b.port())) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream().write(bytes.array(), 0, bytes.limit());
            int count = 0;
            try {
                while (socket.getInputStream().read() >= 0) {
                    count++;
                }
            } catch (SocketException reset) {
                // An end, too.
            }
            return count;
        }
    }

    @Test
    void theSameSecretOnBothSidesConnects() throws Exception {
        a.secret = "one";
        b.secret = "one";
        Link link = a.backend.connect(a.meet(b), LanesTest.QUIET, soon());
        var write = FakeOperation.write().run(a.allocate(10), 0, b.describe(b.allocate(10)), 0, 10);
        assertThat(link.post(write)).isEqualTo(Link.ACCEPTED);
        assertThat(a.completions.of(write.token()).get(20, TimeUnit.SECONDS).code())
                .isZero();
    }

    @Test
    void anotherSecretDoesNot() {
        a.secret = "one";
        b.secret = "two";
        Peer peer = a.meet(b);
        assertThatThrownBy(() -> a.backend.connect(peer, LanesTest.QUIET, soon()))
                .isInstanceOfSatisfying(
                        WeftException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNREACHABLE))
                .hasMessageContaining("b");
        assertThat(b.count("strangers")).isPositive();
    }

    @Test
    void aLaneThatNobodyOfferedGetsNothing() throws Exception {
        a.meet(b);
        var hello = new LaneGreeting.Hello(0, 4711, "a", new byte[32]);
        assertThat(answerTo(hello.encode())).isZero();
        assertThat(b.count("strangers")).isEqualTo(1);
    }

    @Test
    void anOfferedLaneWithAWrongProofGetsNothing() throws Exception {
        a.secret = "one";
        b.secret = "one";
        a.meet(b);
        var asked = new LaneGreeting.Open(LaneWire.VERSION, 1, LaneWire.MAX_CHUNK, 4711, new byte[16]);
        b.backend.onCall(b.known.get("a"), asked.encode());
        assertThat(answerTo(new LaneGreeting.Hello(0, 4711, "a", new byte[32]).encode()))
                .isZero();
        assertThat(answerTo(new LaneGreeting.Hello(0, 4711, "a", new byte[0]).encode()))
                .isZero();
    }

    @Test
    void aProofIsGoodOnce() throws Exception {
        a.secret = "one";
        b.secret = "one";
        Peer toB = a.meet(b);
        var asked = new LaneGreeting.Open(LaneWire.VERSION, 1, LaneWire.MAX_CHUNK, 4711, new byte[16]);
        var offered = LaneGreeting.Open.decode(b.backend.onCall(b.known.get("a"), asked.encode()));
        byte[] proof =
                toB.prove(LaneGreeting.proofContext(LaneGreeting.INITIATOR, 4711, 0, asked.nonce(), offered.nonce()));
        ByteBuffer hello = new LaneGreeting.Hello(0, 4711, "a", proof).encode();
        try (Socket first = new Socket(InetAddress.getLoopbackAddress(), b.port())) {
            first.getOutputStream().write(hello.array(), 0, hello.limit());
            assertThat(first.getInputStream().read()).isEqualTo('W');
            assertThat(answerTo(hello)).isZero();
        }
    }

    @Test
    void aPlainEngineThatIsNotListedGetsNothing() throws Exception {
        b.admitPlain = false;
        assertThat(answerTo(new V3.Hello(V3.CONTROL_CHANNEL, "mori").encode())).isZero();
        assertThat(answerTo(new V3.Hello(V3.DATA_CHANNEL, "mori").encode())).isZero();
    }

    @Test
    void aWeftEnginesKeyIsNotTakenFromAPlainConnection() throws Exception {
        a.meet(b);
        assertThat(answerTo(new V3.Hello(V3.CONTROL_CHANNEL, "a").encode())).isZero();
        assertThat(b.count("strangers")).isEqualTo(1);
    }

    @Test
    void oneThatSaysNothingIsClosed() throws Exception {
        assertThat(answerTo(ByteBuffer.wrap(new byte[] {'M', 'T', 'C', '0'}))).isZero();
        assertThat(answerTo(ByteBuffer.wrap(new byte[] {'W', 'T', 'L', '1', 1})))
                .isZero();
        await().untilAsserted(() -> assertThat(b.count("strangers")).isEqualTo(2));
    }

    @Test
    void plainConnectionsThatStayIncompleteAreClosed() throws Exception {
        ByteBuffer hello = new V3.Hello(V3.DATA_CHANNEL, "mori").encode();
        // The greeting is answered, and then nothing more comes.
        assertThat(answerTo(hello)).isEqualTo(V3.CONTROL_HEADER + 5 + 1);
    }

    @Test
    void aSecondControlConnectionIsAnsweredAndClosedWhileTheFirstWorks() throws Exception {
        ByteBuffer control = new V3.Hello(V3.CONTROL_CHANNEL, "mori").encode();
        ByteBuffer data = new V3.Hello(V3.DATA_CHANNEL, "mori").encode();
        try (Socket first = new Socket(InetAddress.getLoopbackAddress(), b.port());
                Socket lane = new Socket(InetAddress.getLoopbackAddress(), b.port())) {
            first.getOutputStream().write(control.array(), 0, control.limit());
            lane.getOutputStream().write(data.array(), 0, data.limit());
            int helloBytes = V3.CONTROL_HEADER + 5 + 1;
            assertThat(first.getInputStream().readNBytes(helloBytes)).hasSize(helloBytes);
            assertThat(lane.getInputStream().readNBytes(helloBytes)).hasSize(helloBytes);

            assertThat(answerTo(control)).isEqualTo(helloBytes);

            Region region = b.allocate(100);
            ByteBuffer read = ByteBuffer.allocate(V3.CONTROL_HEADER + V3.LINEAR_BODY);
            V3.linear(read, V3.READ, 1, region.spec().regionId(), 0, 100, 1);
            first.getOutputStream().write(read.array());
            assertThat(lane.getInputStream().readNBytes(V3.DATA_HEADER + 100)).hasSize(V3.DATA_HEADER + 100);
        }
    }
}
