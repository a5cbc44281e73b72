package io.weft.backend.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.api.MemoryLocation;
import io.weft.api.Region;
import io.weft.api.RegisterOptions;
import io.weft.api.SegmentTable;
import io.weft.api.Transfer;
import io.weft.api.TransferEngine;
import io.weft.api.TransferOptions;
import io.weft.api.TransferSession;
import io.weft.api.TransferState;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two processes over sockets: much data, and a target that stops in the middle of it. */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class TwoProcessesIT {
    private static final int REGION = 64 << 20;
    private static final long TOTAL = 1L << 30;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final long seed = Long.getLong("weft.test.seed", System.nanoTime());

    private static Region allocate(TransferEngine engine) {
        return engine.allocate(MemoryLocation.HOST, REGION, RegisterOptions.DEFAULT);
    }

    private static MemorySegment memory(Region region) {
        return region.segment().orElseThrow();
    }

    @Test
    void aGibibyteInRandomSegmentsArrivesAsItWasSent() throws Exception {
        System.out.println("weft.test.seed=" + seed);
        Random random = new Random(seed);
        try (TransferEngine engine = EngineProcess.open("parent", Map.of());
                EngineProcess target = new EngineProcess("child", REGION)) {
            engine.addPeer(target.engine);
            Region source = allocate(engine);
            Region model = allocate(engine);
            LanesTest.fill(memory(source), random);
            try (TransferSession session = engine.session(source, target.region)) {
                for (long moved = 0; moved < TOTAL; ) {
                    SegmentTable table = segments(random);
                    for (int i = 0; i < table.size(); i++) {
                        long length = table.lengths()[i];
                        MemorySegment.copy(
                                memory(source),
                                table.localOffsets()[i],
                                memory(model),
                                table.remoteOffsets()[i],
                                length);
                        moved += length;
                    }
                    Transfer transfer = session.write(table, TransferOptions.DEFAULT);
                    assertThat(transfer.await(PATIENCE)).as(transfer::text).isEqualTo(TransferState.SUCCEEDED);
                }
                assertThat(target.checksum()).isEqualTo(EngineProcess.crc(model));
                memory(source).fill((byte) 0);
                Transfer back = session.read(0, 0, REGION, TransferOptions.DEFAULT);
                assertThat(back.await(PATIENCE)).as(back::text).isEqualTo(TransferState.SUCCEEDED);
                assertThat(memory(source).mismatch(memory(model))).isEqualTo(-1);
            }
        }
    }

    /** Disjoint at the target, of lengths from one byte to a megabyte, anywhere at the source. */
    private static SegmentTable segments(Random random) {
        List<long[]> segments = new ArrayList<>();
        for (long at = random.nextInt(1_000); at < REGION - (1 << 20); ) {
            long length = 1 + random.nextInt(1 << random.nextInt(21));
            segments.add(new long[] {random.nextInt((int) (REGION - length)), at, length});
            at += length + random.nextInt(3_000);
        }
        return SegmentTable.of(column(segments, 0), column(segments, 1), column(segments, 2));
    }

    private static long[] column(List<long[]> segments, int column) {
        return segments.stream().mapToLong(segment -> segment[column]).toArray();
    }

    @Test
    void whatAStoppedTargetFindsWhenItGoesOnIsNothingNew() throws Exception {
        try (TransferEngine engine = EngineProcess.open("parent", Map.of());
                EngineProcess target = new EngineProcess("child", REGION)) {
            engine.addPeer(target.engine);
            Region source = allocate(engine);
            memory(source).fill((byte) 1);
            Transfer first = engine.write(source, 0, target.region, 0, 1_000, TransferOptions.DEFAULT);
            assertThat(first.await(PATIENCE)).as(first::text).isEqualTo(TransferState.SUCCEEDED);

            target.signal("STOP");
            long began = System.nanoTime();
            Transfer caught = engine.write(
                    source, 0, target.region, 0, REGION, TransferOptions.DEFAULT.withDeadline(Duration.ofSeconds(1)));
            assertThat(caught.await(Duration.ofSeconds(30))).isEqualTo(TransferState.FAILED);
            assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(20));
            // The transfer is terminal: its source is the caller's again, and must not be read any more (rule DL-2).
            memory(source).fill((byte) 99);
            target.signal("CONT");

            assertThat(target.holds(99)).isFalse();
            memory(source).fill((byte) 2);
            Transfer next;
            long until = System.nanoTime() + PATIENCE.toNanos();
            do {
                next = engine.write(source, 0, target.region, 0, REGION, TransferOptions.DEFAULT);
            } while (next.await(PATIENCE) != TransferState.SUCCEEDED && System.nanoTime() - until < 0);
            assertThat(next.state()).as(next.text()).isEqualTo(TransferState.SUCCEEDED);
            assertThat(target.holds(99)).isFalse();
            assertThat(target.holds(1)).isFalse();
            assertThat(target.checksum()).isEqualTo(EngineProcess.crc(source));
        }
    }
}
