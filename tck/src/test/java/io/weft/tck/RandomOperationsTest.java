package io.weft.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.api.MemoryDescriptor;
import io.weft.api.Region;
import io.weft.api.RegisterOptions;
import io.weft.api.SegmentTable;
import io.weft.api.Transfer;
import io.weft.api.TransferEngine;
import io.weft.api.TransferOptions;
import io.weft.api.TransferSession;
import io.weft.api.TransferState;
import io.weft.config.ConfigurationSources;
import io.weft.engine.Weft;
import io.weft.spi.BackendProvider;
import io.weft.testkit.ReferenceModel;
import io.weft.testkit.faults.Fault;
import io.weft.testkit.faults.FaultPlan;
import io.weft.testkit.faults.FaultyProvider;
import io.weft.testkit.mem.MemProvider;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Random writes and reads under every fault that a fabric may have, held against the model. {@code -Dweft.test.operations} sets how
 * many; a million take about a minute.
 */
@Timeout(600)
class RandomOperationsTest {
    private static final int LANES = 64;
    private static final int LANE = 256;
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private record Posted(Transfer transfer, boolean write, SegmentTable table) {}

    @Test
    void memoryIsAlwaysLegal() throws InterruptedException {
        long seed = FaultyProvider.seed();
        int operations = Integer.getInteger("weft.test.operations", 1_000_000);
        FaultPlan plan = FaultPlan.NONE
                .with(Fault.DELAY_POST, 0.01)
                .with(Fault.DELAY_COMPLETION, 0.01)
                .with(Fault.REORDER, 0.02)
                .with(Fault.DUPLICATE, 0.02)
                .with(Fault.FAIL_BEFORE, 0.005)
                .with(Fault.FAIL_AFTER, 0.005)
                .with(Fault.REFUSE, 0.01)
                .with(Fault.LINK_DOWN, 0.00005)
                .withLongestDelay(Duration.ofNanos(300_000));
        FaultyProvider faults = new FaultyProvider(new MemProvider(), seed, plan);
        SplittableRandom random = new SplittableRandom(seed);
        try (Arena arena = Arena.ofShared();
                TransferEngine left = open("left", faults);
                TransferEngine right = open("right", new MemProvider())) {
            MemorySegment near = arena.allocate(LANES * LANE);
            MemorySegment far = arena.allocate(LANES * LANE);
            Region local = left.register(near, RegisterOptions.DEFAULT);
            MemoryDescriptor remote =
                    right.register(far, RegisterOptions.DEFAULT).descriptor();
            left.addPeer(right.descriptor());
            ReferenceModel model = new ReferenceModel();
            model.region("near", near);
            model.region("far", far);
            int done = 0;
            int failed = 0;
            try (TransferSession session = left.session(local, remote)) {
                while (done < operations) {
                    store(random, model, near, far);
                    List<Posted> round = post(session, random);
                    for (Posted posted : round) {
                        boolean succeeded = posted.transfer.await(PATIENCE) == TransferState.SUCCEEDED;
                        assertThat(posted.transfer.state().isTerminal())
                                .as("seed %d, operation %d", seed, done)
                                .isTrue();
                        failed += succeeded ? 0 : 1;
                        done++;
                        apply(model, posted, succeeded);
                    }
                    assertThat(model.observe("near", near))
                            .as("seed %d, after operation %d", seed, done)
                            .isEmpty();
                    assertThat(model.observe("far", far))
                            .as("seed %d, after operation %d", seed, done)
                            .isEmpty();
                }
            }
            System.out.println(done + " random operations, " + failed + " failed, " + faults.injected(Fault.LINK_DOWN)
                    + " links down, seed " + seed);
            assertThat(left.stats().started()).isEqualTo(done);
            assertThat(failed).isBetween(1, done / 2);
        }
    }

    private static TransferEngine open(String name, BackendProvider provider) {
        return Weft.builder()
                .configuration(ConfigurationSources.none(Path.of("none")))
                .provider(provider)
                .name(name)
                .listen("127.0.0.1", 0)
                .open();
    }

    /** The application stores into a few lanes, so that values differ from round to round. */
    private static void store(SplittableRandom random, ReferenceModel model, MemorySegment near, MemorySegment far) {
        byte[] bytes = new byte[LANE];
        for (int i = 0; i < 4; i++) {
            random.nextBytes(bytes);
            int offset = random.nextInt(LANES) * LANE;
            MemorySegment.copy(MemorySegment.ofArray(bytes), 0, near, offset, LANE);
            model.stored("near", offset, bytes);
            random.nextBytes(bytes);
            offset = random.nextInt(LANES) * LANE;
            MemorySegment.copy(MemorySegment.ofArray(bytes), 0, far, offset, LANE);
            model.stored("far", offset, bytes);
        }
    }

    /** One transfer per lane, so that concurrent ones do not meet and the model can be exact. */
    private static List<Posted> post(TransferSession session, SplittableRandom random) {
        List<Posted> round = new ArrayList<>();
        for (int lane = 0; lane < LANES; lane++) {
            boolean write = random.nextBoolean();
            SegmentTable table = table(random, lane * LANE);
            Transfer transfer = write
                    ? session.write(table, TransferOptions.DEFAULT)
                    : session.read(table, TransferOptions.DEFAULT);
            if (random.nextInt(200) == 0) {
                transfer.cancel();
            }
            round.add(new Posted(transfer, write, table));
        }
        return round;
    }

    private static SegmentTable table(SplittableRandom random, long base) {
        int count = 1 + random.nextInt(3);
        long[] local = new long[count];
        long[] remote = new long[count];
        long[] lengths = new long[count];
        int share = LANE / count;
        for (int i = 0; i < count; i++) {
            int length = 1 + random.nextInt(share);
            lengths[i] = length;
            local[i] = base + (long) i * share + random.nextInt(share - length + 1);
            remote[i] = base + (long) (count - 1 - i) * share + random.nextInt(share - length + 1);
        }
        return SegmentTable.of(local, remote, lengths);
    }

    private static void apply(ReferenceModel model, Posted posted, boolean succeeded) {
        SegmentTable t = posted.table;
        for (int i = 0; i < t.size(); i++) {
            int local = (int) t.localOffsets()[i];
            int remote = (int) t.remoteOffsets()[i];
            int length = (int) t.lengths()[i];
            String from = posted.write ? "near" : "far";
            String to = posted.write ? "far" : "near";
            int fromOffset = posted.write ? local : remote;
            int toOffset = posted.write ? remote : local;
            if (succeeded) {
                model.moved(from, fromOffset, to, toOffset, length);
            } else {
                model.mayHaveMoved(from, fromOffset, to, toOffset, length);
            }
        }
    }
}
