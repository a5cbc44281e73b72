package io.weft.tck.harness;

import io.weft.tck.contract.Contract;
import java.util.Arrays;
import java.util.Optional;

/** Whether the kit can be trusted here; done before any rule, so that a broken harness is not taken for a broken rule. */
final class HarnessChecks {
    private static final int LENGTH = 100;

    private HarnessChecks() {}

    static void run(Run run) {
        run.config().rules().forEach(Contract.load()::rule);
        if (run.facts().pairs().isEmpty()) {
            throw new HarnessBroken("backend " + run.config().backend()
                    + " declares no pair of memory kinds that it both reads and writes: "
                    + run.facts().capabilities().transfers());
        }
        checkTarget(run, run.facts().pairs().getFirst(), Topology.SELF);
        if (run.hasProcesses()) {
            checkTarget(run, run.facts().pairs().getFirst(), Topology.PROCESS);
        }
    }

    /** An engine opens here or there, and memory holds what is stored; no byte is transferred. */
    private static void checkTarget(Run run, Facts.Kinds kinds, Topology topology) {
        Case permutation = new Case(topology, kinds, Optional.empty(), 1);
        try (Rig rig = new Rig(run, permutation)) {
            Block block = rig.remote(LENGTH);
            byte[] stored = block.fill(7);
            if (!Arrays.equals(stored, block.bytes()) || !Arrays.equals(stored, Pattern.bytes(7, LENGTH))) {
                throw new HarnessBroken(
                        "memory of kind " + kinds.remote() + " at " + topology + " does not hold what was stored");
            }
            block.put(3, new byte[] {1});
            if (block.owner().watch(block.handle(), 1) != -1) {
                throw new HarnessBroken("memory of kind " + kinds.remote() + " at " + topology + " changes by itself");
            }
        }
    }
}
