package io.weft.tck.rules;

import io.weft.api.ErrorCode;
import io.weft.api.RetryClass;
import io.weft.api.Transfer;
import io.weft.tck.harness.Block;
import io.weft.tck.harness.Expect;
import io.weft.tck.harness.Rig;
import io.weft.tck.harness.RuleSuite;
import io.weft.tck.harness.RuleTest;
import java.util.ArrayList;
import java.util.List;

/** BP: back-pressure and resources. */
@RuleSuite
class ResourceRules {
    private static final int SIZE = 64;
    private static final int QUEUE = 16;

    @RuleTest("BP-1")
    void bp1_aFullQueueFailsNewTransfersAndSparesTheOld(Rig rig) throws InterruptedException {
        rig.setup().with("weft.queue.transfers", Integer.toString(QUEUE));
        Gate gate = new Gate();
        Block from = rig.local(SIZE);
        byte[] source = from.fill(1);
        Block to = rig.remote(SIZE);
        List<Transfer> accepted = new ArrayList<>();
        for (int i = 0; i < QUEUE; i++) {
            accepted.add(rig.track(rig.engine().write(from.region(), i, to.descriptor(), i, 1, gate.options())));
        }
        for (int i = 0; i < 3; i++) {
            Transfer refused = rig.fails(
                    "transfer " + (QUEUE + 1 + i) + " to a queue of " + QUEUE,
                    rig.write(from, 60, to, 60, 1),
                    ErrorCode.RESOURCE_EXHAUSTED);
            Expect.equal(
                    "its retry class",
                    RetryClass.LATER,
                    refused.code().orElseThrow().retry());
        }
        gate.open();
        for (Transfer transfer : accepted) {
            rig.succeeds(transfer);
        }
        byte[] seen = to.bytes();
        for (int i = 0; i < QUEUE; i++) {
            Expect.equal("byte " + i + " of an accepted transfer", source[i], seen[i]);
        }
        rig.succeeds(rig.write(from, 0, to, 0, SIZE));
    }
}
