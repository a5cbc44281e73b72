package io.weft.engine.internal.control.socket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.api.ErrorCode;
import io.weft.api.MemoryKind;
import io.weft.engine.internal.control.BackendHello;
import io.weft.engine.internal.control.Hello;
import io.weft.engine.internal.control.socket.Handshake.Established;
import io.weft.spi.Capabilities.Enforcement;
import io.weft.spi.OperationKind;
import io.weft.spi.TransferSupport;
import io.weft.spi.Visibility;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rules SEC-3 and VER-1, without sockets. */
@Timeout(value = 30, unit = TimeUnit.SECONDS)
class HandshakeTest {
    private static final Hello A = hello("a", 1, 1, 0);
    private static final Hello B = hello("b", 2, 1, 1);
    private static final byte[] NONCE_A = nonce(1);
    private static final byte[] NONCE_B = nonce(2);

    private static Hello hello(String key, long incarnation, int major, int minor) {
        return new Hello(
                key,
                incarnation,
                major,
                minor,
                List.of(new BackendHello(
                        "rdma",
                        "0.1",
                        new byte[] {1, 2, 3},
                        Enforcement.TARGET,
                        List.of(
                                new TransferSupport(
                                        OperationKind.WRITE, MemoryKind.HOST, MemoryKind.CUDA, Visibility.FLUSH),
                                new TransferSupport(
                                        OperationKind.READ,
                                        MemoryKind.HIP,
                                        MemoryKind.HOST,
                                        Visibility.TARGET_FLUSH)))));
    }

    private static byte[] nonce(int fill) {
        byte[] nonce = new byte[Opening.NONCE_BYTES];
        Arrays.fill(nonce, (byte) fill);
        return nonce;
    }

    private static Secret secret(String text) {
        return Secret.of(text.getBytes(StandardCharsets.UTF_8));
    }

    private static WireIn body(ByteBuffer frame) {
        byte[] body = bytes(frame);
        return new WireIn(body, body.length);
    }

    private static byte[] bytes(ByteBuffer frame) {
        byte[] body = new byte[frame.remaining() - WireOut.HEADER];
        frame.duplicate().position(WireOut.HEADER).get(body);
        return body;
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a shared secret"})
    void bothLearnTheOtherAndTheSameSession(String text) {
        Handshake.Dialler a = new Handshake.Dialler(secret(text), A, NONCE_A);
        Handshake.Acceptor b = new Handshake.Acceptor(secret(text), B, NONCE_B);
        ByteBuffer challenge = b.challenge(body(a.open()));
        ByteBuffer hello = a.hello(body(challenge), 2, 77, 1_000);
        Established atB = b.established(body(hello));
        Established atA = a.established(body(b.answer(2_000)));
        assertThat(atB.content().hello()).usingRecursiveComparison().isEqualTo(A);
        assertThat(atB.content().wanted()).isEqualTo(2);
        assertThat(atB.content().lastSession()).isEqualTo(77);
        assertThat(atB.content().heartbeatNanos()).isEqualTo(1_000);
        assertThat(atA.content().hello()).usingRecursiveComparison().isEqualTo(B);
        assertThat(atA.content().heartbeatNanos()).isEqualTo(2_000);
        assertThat(atA.sessionId()).isEqualTo(atB.sessionId());
        byte[] context = {1};
        assertThat(atB.lanes().verify(atA.lanes().prove("x", context), "x", context))
                .isTrue();
    }

    @Test
    void whoCannotProveOpenGetsNotOneByte() {
        for (Secret wrong : List.of(Secret.NONE, secret("another"))) {
            Handshake.Acceptor b = new Handshake.Acceptor(secret("right"), B, NONCE_B);
            ByteBuffer open = new Handshake.Dialler(wrong, A, NONCE_A).open();
            assertRefused(ErrorCode.AUTHENTICATION, false, () -> b.challenge(body(open)));
        }
        // Not even that the version would not fit.
        Handshake.Acceptor b = new Handshake.Acceptor(secret("right"), B, NONCE_B);
        ByteBuffer other = new Handshake.Dialler(secret("wrong"), hello("a", 1, 2, 0), NONCE_A).open();
        assertRefused(ErrorCode.AUTHENTICATION, false, () -> b.challenge(body(other)));
    }

    @Test
    void theDiallerSendsItsHelloOnlyToWhoHasProvedItself() {
        for (Secret wrong : List.of(Secret.NONE, secret("another"))) {
            Handshake.Dialler a = new Handshake.Dialler(secret("right"), A, NONCE_A);
            // An impostor that does not care for the dialler's proof.
            Opening bare = new Opening(
                    1,
                    0,
                    wrong.present() ? 1 : 0,
                    NONCE_B,
                    wrong.prove("weft challenge", bytes(a.open()), new byte[0]));
            ByteBuffer challenge = new WireOut().raw(bare.body()).frame(FrameType.CHALLENGE);
            assertRefused(ErrorCode.AUTHENTICATION, false, () -> a.hello(body(challenge), 2, 0, 1));
        }
    }

    @Test
    void aReplayedHandshakeStopsAtTheHello() {
        Secret s = secret("s");
        Handshake.Dialler a = new Handshake.Dialler(s, A, NONCE_A);
        Handshake.Acceptor b = new Handshake.Acceptor(s, B, NONCE_B);
        ByteBuffer open = a.open();
        ByteBuffer hello = a.hello(body(b.challenge(body(open))), 2, 0, 1);
        b.established(body(hello));

        Handshake.Acceptor later = new Handshake.Acceptor(s, B, nonce(3));
        later.challenge(body(open));
        assertRefused(ErrorCode.AUTHENTICATION, false, () -> later.established(body(hello)));
    }

    @Test
    void aProofOfOneDirectionIsNoneInTheOther() {
        Secret s = secret("s");
        Handshake.Dialler a = new Handshake.Dialler(s, A, NONCE_A);
        // The acceptor's own words sent back to it.
        ByteBuffer challenge = new WireOut().raw(bytes(a.open())).frame(FrameType.CHALLENGE);
        assertRefused(ErrorCode.AUTHENTICATION, false, () -> a.hello(body(challenge), 2, 0, 1));

        Handshake.Dialler d = new Handshake.Dialler(s, A, NONCE_A);
        ByteBuffer hello = d.hello(body(new Handshake.Acceptor(s, B, NONCE_B).challenge(body(d.open()))), 2, 0, 1);
        assertRefused(ErrorCode.AUTHENTICATION, false, () -> d.established(body(hello)));
    }

    @Test
    void everyChangedBitIsNoticed() {
        Secret s = secret("s");
        byte[] open = bytes(new Handshake.Dialler(s, A, NONCE_A).open());
        for (int bit = 0; bit < open.length * 8; bit++) {
            byte[] changed = flipped(open, bit);
            assertUnusable(() -> new Handshake.Acceptor(s, B, NONCE_B).challenge(new WireIn(changed, changed.length)));
        }
        byte[] challenge = bytes(new Handshake.Acceptor(s, B, NONCE_B).challenge(new WireIn(open, open.length)));
        for (int bit = 0; bit < challenge.length * 8; bit++) {
            byte[] changed = flipped(challenge, bit);
            assertUnusable(
                    () -> new Handshake.Dialler(s, A, NONCE_A).hello(new WireIn(changed, changed.length), 2, 0, 1));
        }
        byte[] hello =
                bytes(new Handshake.Dialler(s, A, NONCE_A).hello(new WireIn(challenge, challenge.length), 2, 0, 1));
        for (int bit = 0; bit < hello.length * 8; bit++) {
            byte[] changed = flipped(hello, bit);
            Handshake.Acceptor b = new Handshake.Acceptor(s, B, NONCE_B);
            b.challenge(new WireIn(open, open.length));
            assertUnusable(() -> b.established(new WireIn(changed, changed.length)));
        }
    }

    @Test
    void majorsAreComparedOnBothSides() {
        Hello other = hello("b", 2, 2, 7);
        Handshake.Dialler a = new Handshake.Dialler(Secret.NONE, A, NONCE_A);
        assertRefused(
                ErrorCode.INCOMPATIBLE,
                true,
                () -> new Handshake.Acceptor(Secret.NONE, other, NONCE_B).challenge(body(a.open())));
        Opening challenge = new Opening(2, 7, 0, NONCE_B, new byte[0]);
        assertThatThrownBy(
                        () -> a.hello(body(new WireOut().raw(challenge.body()).frame(FrameType.CHALLENGE)), 2, 0, 1))
                .hasMessageContaining("1.0")
                .hasMessageContaining("2.7");
    }

    /** A later minor may append to the hello and know more kinds of things. */
    @Test
    void aHelloOfALaterMinorIsRead() {
        byte[] content = HelloCodec.write(new WireOut(), new HelloCodec.Content(B, 0, 0, 1))
                .i64(42)
                .body();
        assertThat(HelloCodec.read(new WireIn(content, content.length), 1, 9)
                        .hello()
                        .wireMinor())
                .isEqualTo(9);
        byte[] unknown = HelloCodec.write(new WireOut(), new HelloCodec.Content(B, 0, 0, 1))
                .body();
        unknown[unknown.length - 1] = 99;
        assertThat(HelloCodec.read(new WireIn(unknown, unknown.length), 1, 9)
                        .hello()
                        .backends()
                        .getFirst()
                        .transfers())
                .hasSize(1);
    }

    @Test
    void theSecretIsNeverPrinted() {
        assertThat(secret("hunter2").toString()).doesNotContain("hunter2");
        assertThat(SocketSettings.builder().secret("hunter2").build().toString())
                .doesNotContain("hunter2");
    }

    private static byte[] flipped(byte[] bytes, int bit) {
        byte[] changed = bytes.clone();
        changed[bit / 8] ^= (byte) (1 << (bit % 8));
        return changed;
    }

    private static void assertUnusable(ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOfAny(HandshakeRefusal.class, ProtocolException.class);
    }

    private static void assertRefused(ErrorCode code, boolean told, ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOfSatisfying(HandshakeRefusal.class, r -> {
            assertThat(r.code()).isEqualTo(code);
            assertThat(r.isTold()).isEqualTo(told);
        });
    }
}
