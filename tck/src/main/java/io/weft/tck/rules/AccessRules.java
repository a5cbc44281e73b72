package io.weft.tck.rules;

import io.weft.api.Access;
import io.weft.api.ErrorCode;
import io.weft.api.MemoryDescriptor;
import io.weft.api.Transfer;
import io.weft.api.TransferOptions;
import io.weft.api.TransferState;
import io.weft.spi.Backend;
import io.weft.spi.BackendContext;
import io.weft.spi.BackendProvider;
import io.weft.spi.Link;
import io.weft.spi.LinkEvents;
import io.weft.spi.Operation;
import io.weft.spi.Peer;
import io.weft.tck.harness.Block;
import io.weft.tck.harness.Expect;
import io.weft.tck.harness.Rig;
import io.weft.tck.harness.RuleSuite;
import io.weft.tck.harness.RuleTest;
import io.weft.testkit.CopiedOperation;
import io.weft.testkit.ForwardingBackend;
import io.weft.testkit.ForwardingLink;
import io.weft.testkit.ForwardingProvider;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** SEC-1: who may reach which bytes. */
@RuleSuite
class AccessRules {
    private static final int SIZE = 1000;
    private static final int GUARD = 500;

    @RuleTest("SEC-1a")
    void sec1a_noAccessLeavesARegion(Rig rig) throws InterruptedException {
        Block local = rig.local(4L * SIZE);
        local.fill(1);
        Guarded target = Guarded.of(rig);
        long[][] ranges = {
            {SIZE, 1},
            {SIZE - 1, 2},
            {0, SIZE + 1},
            {-1, 1},
            {-GUARD, GUARD},
            {Long.MAX_VALUE, 1},
            {Long.MIN_VALUE, 1},
            {Long.MAX_VALUE - 4, 8},
            {Integer.MAX_VALUE, 8},
            {1L << 32, 8}
        };
        for (long[] range : ranges) {
            String what = "offset " + range[0] + ", length " + range[1];
            rig.fails(
                    "a write outside the region, " + what,
                    rig.write(local, 0, target.region, range[0], range[1]),
                    ErrorCode.INVALID_ARGUMENT);
            rig.fails(
                    "a read outside the region, " + what,
                    rig.read(local, 0, target.region, range[0], range[1]),
                    ErrorCode.INVALID_ARGUMENT);
        }
        MemoryDescriptor real = target.region.descriptor();
        for (MemoryDescriptor altered : List.of(
                real.toBuilder().range(real.address(), SIZE + GUARD).build(),
                real.toBuilder().range(real.address() - GUARD, SIZE + GUARD).build(),
                real.toBuilder().range(real.address() + GUARD, SIZE).build())) {
            Transfer transfer = rig.track(rig.engine()
                    .write(local.region(), 0, altered, altered.length() - GUARD, GUARD, TransferOptions.DEFAULT));
            TransferState end = rig.end(transfer);
            target.isUntouched("a write by an altered descriptor, which is " + end);
            Expect.equal("a write by the altered descriptor " + altered, TransferState.FAILED, end);
        }
        rig.succeeds(rig.write(local, 0, target.region, 0, SIZE));
    }

    @RuleTest("SEC-1b")
    void sec1b_norDoesThatOfAHostilePeer(Rig rig) throws InterruptedException {
        HoldoutRules.targetEnforces(rig);
        AtomicLong shift = new AtomicLong();
        rig.setup().decorate(sound -> new Hostile(sound, shift));
        Block local = rig.local(SIZE);
        local.fill(1);
        Guarded target = Guarded.of(rig);
        rig.succeeds(rig.write(local, 0, target.region, 0, 100));
        for (long by : new long[] {SIZE - 50, SIZE, SIZE + 100, -1, -100, 1L << 40, Long.MAX_VALUE - SIZE}) {
            hostile(rig, shift, by, true, local, target);
        }
        for (long by : new long[] {SIZE - 50, -100, Long.MAX_VALUE - SIZE}) {
            byte[] mine = local.fill(2);
            TransferState end = hostile(rig, shift, by, false, local, target);
            Expect.sameBytes(
                    "the initiator after a hostile read " + by + " bytes off, which is " + end, mine, local.bytes());
        }
    }

    private static TransferState hostile(Rig rig, AtomicLong shift, long by, boolean write, Block local, Guarded target)
            throws InterruptedException {
        String what = "a hostile " + (write ? "write " : "read ") + by + " bytes off";
        TransferOptions soon = TransferOptions.DEFAULT.withDeadline(rig.clocks().scaled(Duration.ofSeconds(2)));
        rig.eventuallySucceeds(() -> rig.write(local, 0, target.region, 0, 100));
        shift.set(by);
        MemoryDescriptor there = target.region.descriptor();
        TransferState end = rig.end(rig.track(
                write
                        ? rig.engine().write(local.region(), 0, there, 0, 100, soon)
                        : rig.engine().read(local.region(), 0, there, 0, 100, soon)));
        shift.set(0);
        target.isUntouched(what + ", which is " + end);
        Expect.that(end == TransferState.FAILED, what + " is " + end + ", must be FAILED");
        return end;
    }

    /** Sends other remote offsets than core asked for. */
    private static final class Hostile extends ForwardingProvider {
        private final AtomicLong shift;

        Hostile(BackendProvider sound, AtomicLong shift) {
            super(sound);
            this.shift = shift;
        }

        @Override
        public Backend open(BackendContext context) {
            return new ForwardingBackend(super.open(context)) {
                @Override
                public Link connect(Peer peer, LinkEvents events, long deadlineNanos) {
                    return new ForwardingLink(super.connect(peer, events, deadlineNanos)) {
                        @Override
                        public int post(Operation operation) {
                            CopiedOperation copy = new CopiedOperation(operation);
                            for (int i = 0; i < copy.remoteOffsets().length; i++) {
                                copy.remoteOffsets()[i] += shift.get();
                            }
                            return super.post(copy);
                        }
                    };
                }
            };
        }
    }

    /** A region in the middle of memory that nobody may touch. */
    private record Guarded(Block whole, Block region) {
        static Guarded of(Rig rig) {
            org.junit.jupiter.api.Assumptions.assumeTrue(
                    rig.permutation().kinds().remote().isHost(), "a part is registered of host memory");
            // Registered for nobody but its owner, so that it can be looked at.
            Block whole = rig.remote(SIZE + 2L * GUARD, java.util.Set.of(Access.LOCAL_READ));
            whole.fill(77);
            int part = whole.owner().registerPart(whole.handle(), GUARD, SIZE, Access.ALL);
            return new Guarded(whole, rig.describe(whole.owner(), part, SIZE));
        }

        void isUntouched(String after) {
            byte[] wanted = io.weft.tck.harness.Pattern.bytes(77, SIZE + 2 * GUARD);
            byte[] seen = whole.bytes();
            System.arraycopy(seen, GUARD, wanted, GUARD, SIZE);
            Expect.sameBytes("the memory around the region after " + after, wanted, seen);
        }
    }
}
