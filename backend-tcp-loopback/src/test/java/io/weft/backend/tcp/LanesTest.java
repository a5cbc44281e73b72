package io.weft.backend.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.api.ErrorCode;
import io.weft.spi.Link;
import io.weft.spi.LinkEvents;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Writes and reads between two backends over the lane protocol. */
@Timeout(60)
class LanesTest {
    static final LinkEvents QUIET = new LinkEvents() {
        @Override
        public void onWritable() {}

        @Override
        public void onDown(ErrorCode code, long nativeCode, String text) {}
    };

    private FakeEngine a;
    private FakeEngine b;
    private Link link;

    @BeforeEach
    void open() {
        a = new FakeEngine("a");
        b = new FakeEngine("b");
        link = a.backend.connect(a.meet(b), QUIET, System.nanoTime() + 5_000_000_000L);
    }

    @AfterEach
    void close() {
        a.close();
        b.close();
        assertThat(a.liveThreads()).isEmpty();
        assertThat(b.liveThreads()).isEmpty();
        assertThat(a.completions.twice).hasValue(0);
    }

    private FakeEngine.Completion run(FakeOperation operation) throws Exception {
        assertThat(link.post(operation)).isEqualTo(Link.ACCEPTED);
        return a.completions.of(operation.token()).get(20, TimeUnit.SECONDS);
    }

    static void fill(MemorySegment memory, Random random) {
        for (long i = 0; i + 8 <= memory.byteSize(); i += 8) {
            memory.set(ValueLayout.JAVA_LONG_UNALIGNED, i, random.nextLong());
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 64, 1000, 16 << 10, (16 << 10) + 1, 64 << 10, 1 << 20, (5 << 20) + 13, 40 << 20})
    void movesOneSegmentBothWays(long length) throws Exception {
        Region source = a.allocate(length + 100);
        Region target = b.allocate(length + 100);
        fill(source.memory(), new Random(length));
        byte[] before = target.memory().toArray(ValueLayout.JAVA_BYTE);

        var written = run(FakeOperation.write().run(source, 3, b.describe(target), 50, length));

        assertThat(written.code()).isZero();
        assertThat(source.memory().asSlice(3, length).mismatch(target.memory().asSlice(50, length)))
                .isEqualTo(-1);
        assertThat(target.memory().asSlice(0, 50).toArray(ValueLayout.JAVA_BYTE))
                .isEqualTo(Arrays.copyOf(before, 50));
        assertThat(target.memory().asSlice(50 + length).toArray(ValueLayout.JAVA_BYTE))
                .containsOnly(0);

        Region back = a.allocate(length + 100);
        var read = run(FakeOperation.read().run(back, 7, b.describe(target), 50, length));

        assertThat(read.code()).isZero();
        assertThat(back.memory().asSlice(7, length).mismatch(source.memory().asSlice(3, length)))
                .isEqualTo(-1);
        assertThat(back.memory().asSlice(0, 7).toArray(ValueLayout.JAVA_BYTE)).containsOnly(0);
        assertThat(back.memory().asSlice(7 + length).toArray(ValueLayout.JAVA_BYTE))
                .containsOnly(0);
    }

    @Test
    void movesManySegmentsOfManyRegions() throws Exception {
        Random random = new Random(42);
        int size = 4 << 20;
        List<Region> sources = new ArrayList<>();
        List<Region> targets = new ArrayList<>();
        FakeOperation write = FakeOperation.write();
        byte[][] expected = new byte[3][size];
        for (int r = 0; r < 3; r++) {
            sources.add(a.allocate(size));
            targets.add(b.allocate(size));
            fill(sources.get(r).memory(), random);
            byte[] bytes = sources.get(r).memory().toArray(ValueLayout.JAVA_BYTE);
            long[][] segments = segments(random, size);
            for (long[] segment : segments) {
                System.arraycopy(bytes, (int) segment[0], expected[r], (int) segment[1], (int) segment[2]);
            }
            write.run(sources.get(r), b.describe(targets.get(r)), segments);
        }

        assertThat(run(write).code()).isZero();

        for (int r = 0; r < 3; r++) {
            assertThat(targets.get(r).memory().mismatch(MemorySegment.ofArray(expected[r])))
                    .as("first wrong byte of region %s", r)
                    .isEqualTo(-1);
        }
    }

    /** Disjoint at the target, shuffled at the source. */
    private static long[][] segments(Random random, int size) {
        List<long[]> segments = new ArrayList<>();
        long at = random.nextInt(100);
        while (at < size - 70_000) {
            long length = random.nextInt(10) == 0 ? 1 + random.nextInt(60_000) : 1 + random.nextInt(300);
            segments.add(new long[] {random.nextInt((int) (size - length)), at, length});
            at += length + random.nextInt(50);
        }
        Collections.shuffle(segments, random);
        return segments.toArray(long[][]::new);
    }

    @Test
    void manyOperationsAtOnce() throws Exception {
        Region source = a.allocate(8 << 20);
        Region target = b.allocate(8 << 20);
        fill(source.memory(), new Random(1));
        List<FakeOperation> operations = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            long at = i * 40_000L;
            FakeOperation operation = FakeOperation.write().run(source, at, b.describe(target), at, 40_000);
            assertThat(link.post(operation)).isEqualTo(Link.ACCEPTED);
            operations.add(operation);
        }
        for (FakeOperation operation : operations) {
            assertThat(a.completions
                            .of(operation.token())
                            .get(20, TimeUnit.SECONDS)
                            .code())
                    .isZero();
        }
        assertThat(source.memory()
                        .asSlice(0, 8_000_000)
                        .mismatch(target.memory().asSlice(0, 8_000_000)))
                .isEqualTo(-1);
    }
}
