package io.weft.engine.internal.control.socket;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.engine.internal.control.Hello;
import io.weft.engine.internal.control.InboundEnd;
import io.weft.engine.internal.control.socket.SessionFrame.Call;
import io.weft.engine.internal.control.socket.SessionFrame.End;
import io.weft.engine.internal.control.socket.SessionFrame.FetchKey;
import io.weft.engine.internal.control.socket.SessionFrame.Heartbeat;
import io.weft.engine.internal.control.socket.SessionFrame.Message;
import io.weft.engine.internal.control.socket.SessionFrame.Result;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Rule SEC-2 for everything that reads control bytes: whatever comes is read or refused, and nothing else. The number of inputs is
 * {@code -Dweft.fuzz.inputs}, the seed {@code -Dweft.test.seed}; an input that once broke something goes into
 * {@code fuzz/control} of the test resources.
 */
@Timeout(value = 20, unit = TimeUnit.MINUTES)
class ControlFuzzTest {
    private static final int LIVE_SHARE = 1_000;
    private static final Hello MINE = new RecordingHandler("me", 1).hello();
    private static final Hello THEIRS = new RecordingHandler("they", 2).hello();

    private final long seed = Long.getLong("weft.test.seed", System.nanoTime());
    private final int inputs = Integer.getInteger("weft.fuzz.inputs", 50_000);
    private final Random random = new Random(seed);

    static Stream<Path> corpus() throws Exception {
        Path folder = Path.of(ControlFuzzTest.class.getResource("/fuzz/control").toURI());
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(f -> f.toString().endsWith(".hex")).sorted().toList().stream();
        }
    }

    /** A file is one stream as hex, lines starting with # say what it broke. */
    @ParameterizedTest
    @MethodSource("corpus")
    void foundCasesStayFixed(Path file) throws IOException {
        StringBuilder hex = new StringBuilder();
        for (String line : Files.readAllLines(file)) {
            if (!line.startsWith("#")) {
                hex.append(line.strip());
            }
        }
        byte[] stream = HexFormat.of().parseHex(hex);
        acceptor(Secret.NONE, stream, stream.length);
        session(stream, stream.length);
    }

    @Test
    void acceptorsAndSessionsSurviveAnything() {
        System.out.println("control fuzz: " + inputs + " inputs, -Dweft.test.seed=" + seed);
        Secret secret = Secret.of(new byte[] {1});
        int established = 0;
        for (int i = 0; i < inputs; i++) {
            boolean handshake = random.nextInt(4) == 0;
            byte[] stream = mutated(handshake ? opening(random.nextBoolean() ? Secret.NONE : secret) : frames());
            int piece = random.nextInt(8) == 0 ? 1 + random.nextInt(16) : stream.length;
            try {
                if (handshake) {
                    established += acceptor(random.nextBoolean() ? Secret.NONE : secret, stream, piece);
                } else {
                    session(stream, piece);
                }
            } catch (RuntimeException | Error found) {
                throw new AssertionError(
                        "seed " + seed + " input " + i + ": " + HexFormat.of().formatHex(stream), found);
            }
        }
        // Some inputs are unharmed; if none were, the fuzz would not reach what it is meant for.
        assertThat(established).isPositive();
    }

    /** The same against a listening engine, with an honest peer beside. */
    @Test
    void aListeningEngineSurvivesAnything() throws Exception {
        try (TestEngine target = TestEngine.start("target");
                TestEngine honest = TestEngine.start("honest")) {
            var session = honest.connect(target);
            int rounds = Math.max(200, inputs / LIVE_SHARE);
            for (int i = 0; i < rounds; i++) {
                try (RawPeer peer = random.nextInt(3) == 0
                        ? new RawPeer(target.address)
                        : RawPeer.established(target, "", new RecordingHandler("raw", 1_000 + i).hello())) {
                    peer.send(mutated(random.nextInt(3) == 0 ? opening(Secret.NONE) : frames()));
                } catch (IOException closedMeanwhile) {
                    // That is one of the right answers.
                }
                if (i % 20 == 0) {
                    assertThat(SocketControlPlaneTest.get(
                                    session.call("memcpy", new byte[] {1}, TestEngine.deadline())))
                            .as("seed %d round %d", seed, i)
                            .containsExactly(1);
                }
            }
            assertThat(SocketControlPlaneTest.get(session.fetchKey("memcpy", 1, TestEngine.deadline())))
                    .hasSize(4);
        }
    }

    /** 1 if the stream ended as a session. */
    private static int acceptor(Secret secret, byte[] stream, int piece) {
        Handshake.Acceptor acceptor = new Handshake.Acceptor(secret, MINE, new byte[32]);
        boolean[] state = new boolean[2];
        feed(stream, piece, new FrameReader.Sink() {
            @Override
            public boolean allows(FrameType type) {
                return type == (state[0] ? FrameType.HELLO : FrameType.OPEN);
            }

            @Override
            public void frame(FrameType type, WireIn body) {
                if (state[0]) {
                    acceptor.established(body);
                    acceptor.answer(1);
                    state[1] = true;
                } else {
                    acceptor.challenge(body);
                    state[0] = true;
                }
            }

            @Override
            public boolean wantsMore() {
                return !state[1];
            }
        });
        return state[1] ? 1 : 0;
    }

    private static void session(byte[] stream, int piece) {
        feed(stream, piece, new FrameReader.Sink() {
            @Override
            public boolean allows(FrameType type) {
                return type.number >= FrameType.HEARTBEAT.number;
            }

            @Override
            public void frame(FrameType type, WireIn body) {
                // What was understood can be said again.
                assertThat(SessionFrame.decode(type, body).encode().remaining()).isPositive();
            }

            @Override
            public boolean wantsMore() {
                return true;
            }
        });
    }

    private static void feed(byte[] stream, int piece, FrameReader.Sink sink) {
        FrameReader reader = new FrameReader();
        try {
            for (int at = 0; at < stream.length; at += piece) {
                reader.feed(ByteBuffer.wrap(stream, at, Math.min(piece, stream.length - at)), sink);
            }
        } catch (ProtocolException | HandshakeRefusal refused) {
            assertThat(refused.getMessage()).isNotEmpty();
        }
    }

    private byte[] opening(Secret secret) {
        byte[] nonce = new byte[32];
        Handshake.Dialler dialler = new Handshake.Dialler(secret, THEIRS, nonce);
        List<byte[]> parts = new ArrayList<>(List.of(bytes(dialler.open())));
        if (!secret.present()) {
            byte[] content = Handshake.content(new HelloCodec.Content(THEIRS, 1, 0, 1_000));
            parts.add(bytes(Handshake.helloFrame(new byte[0], content)));
        }
        return join(parts);
    }

    private byte[] frames() {
        List<byte[]> parts = new ArrayList<>();
        for (int n = 1 + random.nextInt(3); n > 0; n--) {
            SessionFrame frame = switch (random.nextInt(6)) {
                case 0 -> new Heartbeat();
                case 1 -> new FetchKey(random.nextInt(4), random.nextInt(1_000), "memcpy", random.nextInt());
                case 2 -> new Call(random.nextInt(4), 1_000, "memcpy", new byte[random.nextInt(64)]);
                case 3 -> new Result(random.nextInt(4), new byte[random.nextInt(64)]);
                case 4 -> new End(new InboundEnd(random.nextLong(), random.nextInt(30), "why", new byte[3]));
                default -> new Message("memcpy", new byte[random.nextInt(64)]);
            };
            parts.add(bytes(frame.encode()));
        }
        return join(parts);
    }

    private byte[] mutated(byte[] stream) {
        byte[] bytes = stream;
        for (int n = random.nextInt(4); n > 0; n--) {
            int at = random.nextInt(bytes.length);
            switch (random.nextInt(5)) {
                case 0 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
                case 1 -> bytes[at] = (byte) random.nextInt();
                case 2 -> bytes[at] = (byte) (random.nextBoolean() ? 0xff : 0x7f);
                case 3 -> bytes = Arrays.copyOf(bytes, 1 + at);
                default -> bytes = interleaved(bytes, at);
            }
        }
        return bytes;
    }

    /** A piece of itself in the middle of itself. */
    private byte[] interleaved(byte[] bytes, int at) {
        int length = 1 + random.nextInt(bytes.length - at);
        return join(List.of(
                Arrays.copyOf(bytes, at),
                Arrays.copyOfRange(bytes, at, at + length),
                Arrays.copyOfRange(bytes, at, bytes.length)));
    }

    private static byte[] bytes(ByteBuffer frame) {
        byte[] bytes = new byte[frame.remaining()];
        frame.get(bytes);
        return bytes;
    }

    private static byte[] join(List<byte[]> parts) {
        ByteBuffer all =
                ByteBuffer.allocate(parts.stream().mapToInt(p -> p.length).sum());
        parts.forEach(all::put);
        return all.array();
    }
}
