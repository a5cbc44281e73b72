package io.weft.backend.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.api.Access;
import io.weft.testkit.lone.PlainPeer;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Broken input of every kind, fed to the real handlers in pieces of any length: they may only end with an IOException, and
 * never write outside a region or without the right to. {@code -Dweft.fuzz.inputs} sets how many per kind,
 * {@code -Dweft.test.seed} repeats a run.
 */
@Timeout(3_600)
class FuzzTest {
    private static final int INPUTS = Integer.getInteger("weft.fuzz.inputs", 10_000);
    private static final int GUARD = 8_192;
    private static final int REGION = 64 << 10;

    /** Who is fed. */
    enum Kind {
        V3_SESSION,
        LANE_TARGET,
        LANE_INITIATOR,
        GREETING
    }

    private final long seed = Long.getLong("weft.test.seed", System.nanoTime());
    private FakeEngine engine;
    private MemorySegment guarded;
    private Region region;
    private Region readOnly;

    @BeforeEach
    void open() {
        engine = new FakeEngine("fuzzed");
        guarded = engine.arena.allocate(REGION + 2 * GUARD);
        guarded.fill((byte) 0x5A);
        region = engine.register(guarded.asSlice(GUARD, REGION), Access.ALL);
        readOnly = engine.register(engine.arena.allocate(REGION), Access.READ_ONLY);
    }

    @AfterEach
    void close() {
        engine.close();
    }

    @ParameterizedTest
    @EnumSource
    void endsWithAnIoExceptionAtMost(Kind kind) throws Exception {
        System.out.println("weft.test.seed=" + seed + " " + kind + " " + INPUTS + " inputs");
        Random random = new Random(seed + kind.ordinal());
        Reactor reactor = engine.backend.nextReactor();
        for (int done = 0; done < INPUTS; done += 1_000) {
            CompletableFuture<Void> round = new CompletableFuture<>();
            reactor.execute(() -> {
                try {
                    for (int i = 0; i < 1_000; i++) {
                        one(kind, random, reactor);
                    }
                    round.complete(null);
                } catch (Throwable defect) {
                    round.completeExceptionally(defect);
                }
            });
            round.get(120, TimeUnit.SECONDS);
            assertThat(guarded.asSlice(0, GUARD).toArray(ValueLayout.JAVA_BYTE)).containsOnly(0x5A);
            assertThat(guarded.asSlice(GUARD + REGION).toArray(ValueLayout.JAVA_BYTE))
                    .containsOnly(0x5A);
        }
        assertThat(readOnly.memory().toArray(ValueLayout.JAVA_BYTE)).containsOnly(0);
    }

    private void one(Kind kind, Random random, Reactor reactor) {
        try {
            switch (kind) {
                case V3_SESSION -> v3(random, reactor);
                case LANE_TARGET -> laneTarget(random, reactor);
                case LANE_INITIATOR -> laneInitiator(random, reactor);
                case GREETING -> greeting(random);
            }
        } catch (IOException expected) {
            // What a malformed stream deserves.
        }
    }

    private static Connection connection(Reactor reactor, Handler handler) {
        SilentChannel channel = new SilentChannel();
        return new Connection(channel, reactor, new SilentChannel.SilentKey(channel), handler);
    }

    private static final Handler NOBODY = new Handler() {
        @Override
        public void onReadable() {}

        @Override
        public void onWritable() {}

        @Override
        public void onClosed(Throwable cause) {}
    };

    /** Feeds several connections piece by piece, interleaved at random. */
    private static void feed(Random random, List<FrameReader> readers, List<ByteBuffer> streams) throws IOException {
        int left = streams.stream().mapToInt(ByteBuffer::remaining).sum();
        boolean byteByByte = random.nextInt(8) == 0;
        while (left > 0) {
            int at = random.nextInt(streams.size());
            ByteBuffer stream = streams.get(at);
            int piece = byteByByte ? 1 : 1 + random.nextInt(Math.max(1, stream.remaining()));
            // A reader of data never takes more than this behind a payload.
            piece = Math.min(Math.min(piece, 4 << 10), stream.remaining());
            if (piece > 0) {
                ByteBuffer part = stream.slice(stream.position(), piece);
                stream.position(stream.position() + piece);
                left -= piece;
                readers.get(at).feedMore(part);
            }
        }
    }

    private void v3(Random random, Reactor reactor) throws IOException {
        V3Session session = new V3Session(engine.backend.v3(), engine.backend, new PlainPeer("mori", "127.0.0.1", 1));
        Connection control = connection(reactor, NOBODY);
        Connection data = connection(reactor, NOBODY);
        try {
            session.join(V3.CONTROL_CHANNEL, control, ByteBuffer.allocate(0));
            session.join(V3.DATA_CHANNEL, data, ByteBuffer.allocate(0));
            ByteBuffer requests = ByteBuffer.allocate(8_192);
            ByteBuffer payload = ByteBuffer.allocate(16_384);
            for (int i = random.nextInt(4); i >= 0; i--) {
                request(random, requests, payload, i);
            }
            feed(
                    random,
                    List.of((FrameReader) control.handler(), (FrameReader) data.handler()),
                    List.of(mutate(random, requests.flip()), mutate(random, payload.flip())));
        } finally {
            session.lose(new IOException("the round is over"));
            control.reset(new IOException("the round is over"));
            data.reset(new IOException("the round is over"));
        }
    }

    private void request(Random random, ByteBuffer requests, ByteBuffer payload, long operation) {
        int memory = memory(random);
        if (random.nextInt(10) == 0) {
            V3.completion(requests, operation, random.nextInt(20), new byte[random.nextInt(20)]);
            return;
        }
        boolean write = random.nextBoolean();
        int segments = 1 + random.nextInt(5);
        int lanes = random.nextInt(20) == 0 ? random.nextInt(256) : 1 + random.nextInt(3);
        long total = 0;
        if (segments == 1) {
            total = random.nextInt(2_000);
            V3.linear(requests, write ? V3.WRITE : V3.READ, operation, memory, offset(random), total, lanes);
        } else {
            V3.batchHead(requests, write ? V3.BATCH_WRITE : V3.BATCH_READ, operation, memory, segments);
            for (int i = 0; i < segments; i++) {
                long size = random.nextInt(500);
                requests.putLong(offset(random)).putLong(size);
                total += size;
            }
            requests.put((byte) lanes);
        }
        for (int lane = 0; write && lane < Math.min(lanes, 3); lane++) {
            int bytes = (int) V3.laneBytes(total, lanes, lane);
            V3.dataHeader(payload, V3.WRITE_PAYLOAD, lane, operation, bytes);
            payload.position(payload.position() + bytes);
        }
    }

    private int memory(Random random) {
        return switch (random.nextInt(5)) {
            case 0 -> random.nextInt();
            case 1 -> readOnly.spec().regionId();
            default -> region.spec().regionId();
        };
    }

    private static long offset(Random random) {
        return switch (random.nextInt(8)) {
            case 0 -> random.nextLong();
            case 1 -> REGION - random.nextInt(600);
            default -> random.nextInt(REGION);
        };
    }

    private void laneTarget(Random random, Reactor reactor) throws IOException {
        var open = new LaneGreeting.Open(LaneWire.VERSION, 1, 16 << 10, random.nextLong(), new byte[16]);
        InboundLink link = new InboundLink(engine.backend.inboundLinks(), plain(), open, open, 0);
        Connection connection = connection(reactor, NOBODY);
        InboundLane lane = new InboundLane(connection, link, engine.backend);
        connection.handOver(lane);
        try {
            ByteBuffer stream = ByteBuffer.allocate(16_384);
            int puts = 0;
            int gets = 0;
            for (int i = random.nextInt(5); i >= 0; i--) {
                boolean get = random.nextBoolean();
                chunk(random, stream, get, get ? gets++ : puts++);
            }
            feed(random, List.of(lane), List.of(mutate(random, stream.flip())));
        } finally {
            connection.reset(new IOException("the round is over"));
        }
    }

    private static PlainPeer plain() {
        return new PlainPeer("peer", "127.0.0.1", 1);
    }

    private void chunk(Random random, ByteBuffer out, boolean get, int sequence) {
        int runs = 1 + random.nextInt(2);
        int segments = runs + random.nextInt(3);
        int start = out.position();
        out.put(get ? LaneWire.GET : LaneWire.PUT).put((byte) random.nextInt(2)).putShort((short) runs);
        out.putInt(segments).putInt(0).putInt(sequence);
        int bytes = 0;
        int left = segments;
        for (int run = 0; run < runs; run++) {
            int count = run == runs - 1 ? left : 1;
            left -= count;
            out.putInt(memory(random)).putInt(count);
            for (int i = 0; i < count; i++) {
                int length = 1 + random.nextInt(400);
                out.putLong(offset(random)).putInt(length);
                bytes += length;
            }
        }
        out.putInt(start + 8, bytes);
        if (!get) {
            out.position(out.position() + bytes);
        }
    }

    private void laneInitiator(Random random, Reactor reactor) throws IOException {
        Connection connection = connection(reactor, NOBODY);
        TcpLink link = new TcpLink(engine.backend, plain(), LanesTest.QUIET, List.of(connection), 16 << 10);
        OutboundLane lane = link.lane(0);
        connection.handOver(lane);
        try {
            ByteBuffer replies = ByteBuffer.allocate(16_384);
            for (int i = 0; i < 3; i++) {
                boolean get = random.nextBoolean();
                int length = 1 + random.nextInt(2_000);
                FakeOperation operation = get ? FakeOperation.read() : FakeOperation.write();
                link.post(operation.run(region, random.nextInt(10_000), engine.describe(readOnly), 0, length));
                byte type = get ? LaneWire.DATA : random.nextInt(4) == 0 ? LaneWire.NAK : LaneWire.ACK;
                replies.put(type).put((byte) (1 + random.nextInt(2))).put((byte) random.nextInt(6));
                replies.put((byte) 0).putInt(random.nextInt(3));
                if (get) {
                    replies.putInt(length).position(replies.position() + length);
                }
            }
            feed(random, List.of(lane), List.of(mutate(random, replies.flip())));
        } finally {
            link.lose(new IOException("the round is over"));
        }
    }

    private static void greeting(Random random) throws IOException {
        ByteBuffer hello = random.nextBoolean()
                ? new V3.Hello((byte) (1 + random.nextInt(2)), "some-engine").encode()
                : new LaneGreeting.Hello(random.nextInt(20), random.nextLong(), "engine", new byte[32]).encode();
        ByteBuffer broken = mutate(random, hello);
        V3.Hello.decode(broken.duplicate());
        LaneGreeting.Hello.decode(broken.duplicate());
        LaneGreeting.decodeAnswer(broken.duplicate());
    }

    /** A copy with some bytes changed, cut off, or doubled; sometimes unharmed. */
    private static ByteBuffer mutate(Random random, ByteBuffer good) {
        byte[] bytes = new byte[good.remaining()];
        good.get(good.position(), bytes);
        List<Byte> changed = new ArrayList<>(bytes.length);
        int copies = random.nextInt(20) == 0 ? 2 : 1;
        int limit = random.nextInt(5) == 0 ? random.nextInt(bytes.length + 1) : bytes.length;
        for (int copy = 0; copy < copies; copy++) {
            for (int i = 0; i < limit; i++) {
                changed.add(bytes[i]);
            }
        }
        for (int i = random.nextInt(4); i > 0 && !changed.isEmpty(); i--) {
            // Heads are where it matters.
            int at = random.nextInt(Math.min(changed.size(), random.nextBoolean() ? 80 : changed.size()));
            changed.set(at, random.nextInt(3) == 0 ? (byte) -1 : (byte) random.nextInt());
        }
        ByteBuffer out = ByteBuffer.allocate(changed.size());
        changed.forEach(out::put);
        return out.flip();
    }
}
