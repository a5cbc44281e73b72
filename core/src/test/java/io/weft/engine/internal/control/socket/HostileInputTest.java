package io.weft.engine.internal.control.socket;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weft.api.PeerState;
import io.weft.engine.internal.control.ControlSession;
import io.weft.engine.internal.control.Hello;
import io.weft.engine.internal.control.InboundEnd;
import io.weft.engine.internal.control.socket.SessionFrame.Call;
import io.weft.engine.internal.control.socket.SessionFrame.End;
import io.weft.engine.internal.control.socket.SessionFrame.FetchKey;
import io.weft.engine.internal.control.socket.SessionFrame.Heartbeat;
import io.weft.engine.internal.control.socket.SessionFrame.Result;
import io.weft.spi.WireClaim;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rules SEC-2 and SEC-3: whatever comes ends its own connection, is counted, and an honest peer notices nothing. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class HostileInputTest {
    private static final String MAGIC = HexFormat.of().formatHex(Greeter.MAGIC);

    private final List<AutoCloseable> open = new ArrayList<>();
    private TestEngine target;
    private TestEngine honest;
    private ControlSession honestToTarget;

    @BeforeEach
    void honestPeersAreConnected() {
        target = keep(TestEngine.start(
                "target", s -> s.handshake(Duration.ofMillis(500)).limits(8, 16, 64, 1 << 20)));
        honest = keep(TestEngine.start("honest"));
        honestToTarget = honest.connect(target);
    }

    @AfterEach
    void honestPeersAreStillConnected() throws Exception {
        assertThat(SocketControlPlaneTest.get(honestToTarget.call("memcpy", new byte[] {1, 2}, TestEngine.deadline())))
                .containsExactly(2, 1);
        for (AutoCloseable c : open.reversed()) {
            c.close();
        }
    }

    private <T extends AutoCloseable> T keep(T closeable) {
        open.add(closeable);
        return closeable;
    }

    private RawPeer raw() throws IOException {
        return keep(new RawPeer(target.address));
    }

    private RawPeer session() throws IOException {
        return keep(RawPeer.established(target, "", hello("raw")));
    }

    private static Hello hello(String key) {
        return new RecordingHandler(key, TestEngine.nextIncarnation()).hello();
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET / HTTP/1.1\r\n\r\n", "WEFTCTLx", "WXYZ", "MTC0", "\0\0\0\0:", "\u0016\u0003\u0001"})
    void whatNobodyClaimsIsClosedWithoutAWord(String first) throws Exception {
        RawPeer peer = raw();
        peer.send(first.getBytes(StandardCharsets.ISO_8859_1));
        assertThat(peer.readToEnd()).isEmpty();
        await().until(() -> target.count("connections.unclaimed") == 1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "57", "57454654", "5745465443544c00", "5745465443544c000000004501"})
    void whoStaysSilentIsClosedInTime(String first) throws Exception {
        RawPeer peer = raw();
        peer.send(HexFormat.of().parseHex(first));
        assertThat(peer.readToEnd()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            hello before open        | 0000000003
            session frame            | 0000000010
            open too long            | 0000008101
            open of 4 GiB            | ffffffff01
            open truncated inside    | 0000000401 00010000
            unknown type             | 0000000063
            """)
    void aBrokenOpenIsClosedWithoutAWord(String what, String hex) throws Exception {
        RawPeer peer = raw();
        peer.send(HexFormat.of().parseHex(MAGIC + hex.replace(" ", "")));
        assertThat(peer.readToEnd()).as(what).isEmpty();
        await().until(() -> target.count("protocol.errors") == 1);
    }

    @Test
    void anHonestHandshakeMayComeByteByByte() throws Exception {
        RawPeer peer = raw();
        Handshake.Dialler h = new Handshake.Dialler(Secret.NONE, hello("slow"), new byte[32]);
        byte[] open = all(ByteBuffer.wrap(Greeter.MAGIC), h.open());
        for (byte b : open) {
            peer.send(new byte[] {b});
        }
        ByteBuffer hello =
                h.hello(peer.expect(FrameType.CHALLENGE), target.handler.hello().incarnation(), 0, 1);
        peer.send(hello);
        assertThat(h.established(peer.expect(FrameType.HELLO)).content().hello().key())
                .isEqualTo("target");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            handshake again            | 0000000001
            answer never asked for     | 0000000c15 0000000000000001 00000000
            id 0                       | 0000001412 0000000000000000 00000000000003e8 00000007
            oversized                  | 0fffffff18
            truncated inside           | 0000000212 0000
            """)
    void aBrokenSessionIsClosedAndCounted(String what, String hex) throws Exception {
        RawPeer peer = session();
        peer.send(HexFormat.of().parseHex(hex.replace(" ", "")));
        peer.readToEnd();
        await(what).until(() -> target.handler.events.stream().anyMatch(e -> e.startsWith("closed raw PROTOCOL")));
        assertThat(target.count("protocol.errors")).isEqualTo(1);
        assertThat(target.plane.find("raw")).isEmpty();
    }

    @Test
    void aReplayedRequestIsClosed() throws Exception {
        RawPeer peer = session();
        FetchKey request = new FetchKey(1, Long.MAX_VALUE, "memcpy", 1);
        peer.send(request.encode());
        peer.expect(FrameType.RESULT);
        peer.send(request.encode());
        peer.readToEnd();
        await().until(() -> target.handler.events.stream().anyMatch(e -> e.startsWith("closed raw PROTOCOL")));
    }

    /** A second answer to one question is the same as a late one: dropped. */
    @Test
    void aRepeatedAnswerIsDropped() throws Exception {
        RawPeer peer = session();
        await().until(() -> target.plane.find("raw").isPresent());
        var future = target.plane.find("raw").orElseThrow().fetchKey("memcpy", 1, TestEngine.deadline());
        peer.expect(FrameType.FETCH_KEY);
        peer.send(new Result(1, new byte[] {1}).encode());
        peer.send(new Result(1, new byte[] {2}).encode());
        assertThat(SocketControlPlaneTest.get(future)).containsExactly(1);
        peer.send(new FetchKey(1, Long.MAX_VALUE, "memcpy", 1).encode());
        peer.expect(FrameType.RESULT);
    }

    @Test
    void whoEndsInMidFrameIsLost() throws Exception {
        RawPeer peer = session();
        peer.send(HexFormat.of().parseHex("0000ffff18"));
        peer.finishSending();
        await().until(() -> target.handler.events.stream().anyMatch(e -> e.startsWith("closed raw PEER_LOST")));
    }

    @Test
    void theOldestStrangerGoesWhenThereAreTooMany() throws Exception {
        List<RawPeer> strangers = new ArrayList<>();
        for (int i = 0; i < 9; i++) {
            strangers.add(raw());
        }
        assertThat(strangers.getFirst().readToEnd()).isEmpty();
        assertThat(keep(TestEngine.start("newcomer")).connect(target).state()).isEqualTo(PeerState.UP);
    }

    /** It asks and asks and never reads: its session ends, and our memory stays ours. */
    @Test
    void whoReadsNoAnswersIsClosed() throws Exception {
        RawPeer peer = session();
        byte[] request = new byte[65_536];
        try {
            for (int i = 1; i < 2_000; i++) {
                peer.send(new Call(i, Long.MAX_VALUE, "memcpy", request).encode());
            }
        } catch (IOException closed) {
            // As it should be: the target has given up on this peer.
        }
        await().until(() -> target.handler.events.stream().anyMatch(e -> e.startsWith("closed raw")));
        assertThat(target.count("slow.readers")).isEqualTo(1);
    }

    @Test
    void aFloodOfSmallFramesHoldsNobodyBack() throws Exception {
        RawPeer peer = session();
        ByteBuffer beat = new Heartbeat().encode();
        ByteBuffer end = new End(new InboundEnd(1, 0, "", null)).encode();
        byte[] burst = all(beat, end);
        byte[] flood = new byte[burst.length * 1_000];
        for (int i = 0; i < 1_000; i++) {
            System.arraycopy(burst, 0, flood, i * burst.length, burst.length);
        }
        Thread flooding = Thread.ofPlatform().start(() -> {
            try {
                for (int i = 0; i < 200; i++) {
                    peer.send(flood);
                }
            } catch (IOException closed) {
                // The test is over.
            }
        });
        for (int i = 0; i < 50; i++) {
            assertThat(SocketControlPlaneTest.get(honestToTarget.call("memcpy", new byte[] {1}, TestEngine.deadline())))
                    .containsExactly(1);
        }
        flooding.join(Duration.ofSeconds(30));
        await().until(() -> target.handler.ends.size() == 200_000);
    }

    /** Rule SEC-3. */
    @Test
    void withASecretAStrangerGetsNotOneByte() throws Exception {
        TestEngine guarded =
                keep(TestEngine.start("guarded", s -> s.secret("the right one").handshake(Duration.ofMillis(300))));
        List<byte[]> attempts = new ArrayList<>();
        attempts.add(new byte[0]);
        attempts.add("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        attempts.add(Greeter.MAGIC);
        for (Secret s : List.of(Secret.NONE, Secret.of("wrong".getBytes(StandardCharsets.US_ASCII)))) {
            Handshake.Dialler h = new Handshake.Dialler(s, hello("x"), new byte[32]);
            attempts.add(all(ByteBuffer.wrap(Greeter.MAGIC), h.open()));
            attempts.add(all(ByteBuffer.wrap(Greeter.MAGIC), h.open(), new Heartbeat().encode()));
        }
        Hello otherMajor = new RecordingHandler("x", 1, 2, 0).hello();
        attempts.add(all(
                ByteBuffer.wrap(Greeter.MAGIC), new Handshake.Dialler(Secret.NONE, otherMajor, new byte[32]).open()));
        for (byte[] attempt : attempts) {
            RawPeer peer = keep(new RawPeer(guarded.address));
            peer.send(attempt);
            assertThat(peer.readToEnd()).isEmpty();
        }
        assertThat(guarded.count("connections.unauthenticated")).isEqualTo(5);
        assertThat(guarded.handler.events).isEmpty();
        RawPeer peer = keep(RawPeer.established(guarded, "the right one", hello("x")));
        peer.send(new FetchKey(1, Long.MAX_VALUE, "memcpy", 1).encode());
        peer.expect(FrameType.RESULT);
    }

    @Test
    void wireClaimsAreAskedAfterWeftsOwnMagic() throws Exception {
        AtomicReference<SocketChannel> given = new AtomicReference<>();
        List<String> seen = new ArrayList<>();
        target.handler.claims.add(claim("MT", given, seen));
        target.handler.claims.add(claim("\1", new AtomicReference<>(), new ArrayList<>()));
        RawPeer peer = raw();
        peer.send("M".getBytes(UTF_8));
        assertThat(given.get()).isNull();
        peer.send("TC0 and more".getBytes(UTF_8));
        await().until(() -> given.get() != null);
        SocketChannel channel = given.get();
        assertThat(channel.isBlocking()).isFalse();
        assertThat(channel.isRegistered()).isFalse();
        String read = seen.getLast();
        channel.configureBlocking(true);
        ByteBuffer rest = ByteBuffer.allocate(100);
        while (read.length() + rest.position() < "MTC0 and more".length()) {
            channel.read(rest);
        }
        assertThat(read + new String(rest.array(), 0, rest.position(), UTF_8)).isEqualTo("MTC0 and more");
        channel.write(ByteBuffer.wrap("hi".getBytes(UTF_8)));
        channel.close();
        assertThat(peer.readToEnd()).isEqualTo("hi".getBytes(UTF_8));
        assertThat(target.count("connections.claimed")).isEqualTo(1);
        // Weft's own is not asked about.
        assertThat(keep(TestEngine.start("w")).connect(target).state()).isEqualTo(PeerState.UP);
    }

    @Test
    void aClaimThatNeverDecidesIsClosedAtThirtyTwoBytes() throws Exception {
        target.handler.claims.add(claim("x".repeat(100), new AtomicReference<>(), new ArrayList<>()));
        RawPeer peer = raw();
        peer.send("x".repeat(32).getBytes(UTF_8));
        assertThat(peer.readToEnd()).isEmpty();
        assertThat(target.count("connections.unclaimed")).isEqualTo(1);
    }

    @Test
    void aBrokenClaimClaimsNothing() throws Exception {
        target.handler.claims.add(new WireClaim() {
            @Override
            public Answer claims(ByteBuffer firstBytes) {
                throw new NoClassDefFoundError("as this test wants");
            }

            @Override
            public void accept(SocketChannel channel, ByteBuffer alreadyRead) {}
        });
        RawPeer peer = raw();
        peer.send("abc".getBytes(UTF_8));
        assertThat(peer.readToEnd()).isEmpty();
    }

    private static WireClaim claim(String prefix, AtomicReference<SocketChannel> given, List<String> seen) {
        return new WireClaim() {
            @Override
            public Answer claims(ByteBuffer firstBytes) {
                assertThat(firstBytes.isReadOnly()).isTrue();
                String first = StandardCharsets.ISO_8859_1.decode(firstBytes).toString();
                if (first.startsWith(prefix)) {
                    return Answer.MINE;
                }
                return prefix.startsWith(first) ? Answer.NEED_MORE : Answer.NOT_MINE;
            }

            @Override
            public void accept(SocketChannel channel, ByteBuffer alreadyRead) {
                seen.add(StandardCharsets.ISO_8859_1.decode(alreadyRead).toString());
                given.set(channel);
            }
        };
    }

    private static byte[] all(ByteBuffer... parts) {
        int size = 0;
        for (ByteBuffer part : parts) {
            size += part.remaining();
        }
        ByteBuffer together = ByteBuffer.allocate(size);
        for (ByteBuffer part : parts) {
            together.put(part.duplicate());
        }
        return together.array();
    }
}
