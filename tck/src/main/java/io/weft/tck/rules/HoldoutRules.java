package io.weft.tck.rules;

import io.weft.api.Access;
import io.weft.spi.Capabilities.Enforcement;
import io.weft.spi.OperationKind;
import io.weft.tck.harness.Block;
import io.weft.tck.harness.Expect;
import io.weft.tck.harness.Rig;
import io.weft.tck.harness.RuleSuite;
import io.weft.tck.harness.RuleTest;
import io.weft.tck.harness.Sides;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Assumptions;

/**
 * REG-4, DL-5, SEC-1b where core at the initiator does not help: it lets go of keys and links and checks rights and bounds before
 * it posts, so that a target that does nothing of its own is never found out by honest transfers.
 */
@RuleSuite
class HoldoutRules {
    private static final int SIZE = 1000;
    private static final Set<Access> WRITE_ONLY = EnumSet.of(Access.REMOTE_WRITE, Access.LOCAL_READ);

    @RuleTest("REG-4")
    void reg4_aKeyThatIsKeptOpensNothing(Rig rig) throws InterruptedException {
        targetEnforces(rig);
        Holdout initiator = Holdout.of(rig);
        Block local = rig.local(SIZE);
        for (OperationKind kind : OperationKind.values()) {
            boolean write = kind == OperationKind.WRITE;
            Block to = rig.remote(SIZE);
            rig.eventuallySucceeds(() -> write ? rig.write(local, 0, to, 0, SIZE) : rig.read(local, 0, to, 0, SIZE));
            byte[] mine = local.fill(1);
            byte[] theirs = to.fill(2);
            to.owner().deregister(to.handle(), rig.clocks().mustHappen().toMillis());
            String end = initiator.post(kind, 0, SIZE);
            untouched(rig, "by a key that was kept after deregister had returned", end, write, local, mine, to, theirs);
        }
        initiator.letGo();
        Block other = rig.remote(SIZE);
        rig.eventuallySucceeds(() -> rig.write(local, 0, other, 0, SIZE));
    }

    @RuleTest("DL-5")
    void dl5_aLinkThatIsKeptLeadsNowhereAfterAFence(Rig rig) throws InterruptedException {
        targetEnforces(rig);
        Holdout initiator = Holdout.of(rig);
        Block local = rig.local(SIZE);
        Block to = rig.remote(SIZE);
        rig.succeeds(rig.write(local, 0, to, 0, SIZE));
        byte[] mine = local.fill(1);
        byte[] theirs = to.fill(2);
        long patience = rig.clocks().mustHappen().toMillis();
        Expect.that(
                rig.target().fence(Sides.key(rig.here()), patience),
                "fence of the initiator was not confirmed in " + patience + " ms");
        String end = initiator.post(OperationKind.WRITE, 0, SIZE);
        untouched(rig, "over a link that was kept after fence had returned", end, true, local, mine, to, theirs);
        initiator.letGo();
        rig.eventuallySucceeds(() -> rig.write(local, 0, to, 0, SIZE));
        Expect.sameBytes("the target after the link was rebuilt", mine, to.bytes());
    }

    @RuleTest("SEC-1b")
    void sec1b_theTargetKeepsRights(Rig rig) throws InterruptedException {
        targetEnforces(rig);
        Holdout initiator = Holdout.of(rig);
        Block local = rig.local(SIZE);
        Block readable = rig.remote(SIZE, Access.READ_ONLY);
        rig.succeeds(rig.read(local, 0, readable, 0, SIZE));
        byte[] mine = local.fill(1);
        byte[] theirs = readable.fill(2);
        String end = initiator.post(OperationKind.WRITE, 0, SIZE);
        untouched(rig, "to a region that peers may only read", end, true, local, mine, readable, theirs);

        Block writable = rig.remote(SIZE, WRITE_ONLY);
        rig.eventuallySucceeds(() -> rig.write(local, 0, writable, 0, SIZE)); // a refused access may have cost the link
        theirs = writable.fill(3);
        end = initiator.post(OperationKind.READ, 0, SIZE);
        untouched(rig, "of a region that peers may only write", end, false, local, mine, writable, theirs);
    }

    @RuleTest("SEC-1b")
    void sec1b_oneRegionsKeyOpensNoOther(Rig rig) throws InterruptedException {
        targetEnforces(rig);
        Holdout initiator = Holdout.of(rig);
        Block local = rig.local(SIZE);
        Block open = rig.remote(SIZE);
        Block closed = rig.remote(SIZE, Set.of(Access.LOCAL_READ));
        for (OperationKind kind : OperationKind.values()) {
            boolean write = kind == OperationKind.WRITE;
            rig.eventuallySucceeds(() -> rig.write(local, 0, open, 0, SIZE));
            byte[] mine = local.fill(1);
            open.fill(1);
            byte[] theirs = closed.fill(2);
            String end = initiator.post(kind, closed.descriptor(), 0, SIZE);
            untouched(
                    rig, "by another region's key, where no peer has a right", end, write, local, mine, closed, theirs);
        }
    }

    static void targetEnforces(Rig rig) {
        Assumptions.assumeTrue(
                rig.run().facts().capabilities().enforcement() == Enforcement.TARGET,
                "the backend declares that it trusts its peers");
    }

    private static void untouched(
            Rig rig, String how, String end, boolean write, Block local, byte[] mine, Block remote, byte[] theirs)
            throws InterruptedException {
        // What is without an end may still be on its way.
        rig.clocks().throughout(() -> {
            if (write) {
                Expect.sameBytes("the target after a write " + how + ", which was " + end, theirs, remote.bytes());
            } else {
                Expect.sameBytes("the initiator after a read " + how + ", which was " + end, mine, local.bytes());
            }
        });
    }
}
