package io.weft.replay.run;

import io.weft.replay.model.ModelGeometry;
import io.weft.replay.model.StateGeometry;
import io.weft.replay.rank.Side;
import io.weft.replay.trace.Trace;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What to replay and how.
 *
 * @param trace the requests
 * @param model the whole model
 * @param scale how much of it, above 0 and at most 1
 * @param prefillTp tensor-parallel ranks of the prefill side
 * @param prefillPp pipeline stages of the prefill side
 * @param decodeTp tensor-parallel ranks of the decode side
 * @param backend name of the backend
 * @param memory memory kind of the KV pools, {@code host} for host memory
 * @param speed factor on the trace's arrival times; 0 sends each request as soon as there is room
 * @param poolBytes memory for each rank's KV pool
 * @param requestSeconds after how long a request is given up
 * @param kills processes to kill in mid-run
 * @param soak go on for a time and kill in turn, null to replay the trace once
 * @param corrupt flip one byte in every N-th page sent
 * @param dropPage leave every N-th page out
 * @param swapHeads exchange two heads in every N-th page sent
 * @param sharedArguments arguments of every process, registry included: configuration
 */
public record ReplayOptions(
        Trace trace,
        ModelGeometry model,
        double scale,
        int prefillTp,
        int prefillPp,
        int decodeTp,
        String backend,
        String memory,
        double speed,
        long poolBytes,
        int requestSeconds,
        List<Kill> kills,
        @Nullable Soak soak,
        Ratio corrupt,
        Ratio dropPage,
        Ratio swapHeads,
        List<String> sharedArguments) {
    /** Checks the numbers. */
    public ReplayOptions {
        kills = List.copyOf(kills);
        sharedArguments = List.copyOf(sharedArguments);
        if (prefillTp < 1 || prefillPp < 1 || decodeTp < 1 || prefillTp * prefillPp > 64 || decodeTp > 64) {
            throw new IllegalArgumentException("ranks must be from 1 to 64 a side, found prefill " + prefillTp + "x"
                    + prefillPp + ", decode " + decodeTp);
        }
        if (!(speed >= 0) || requestSeconds < 1 || poolBytes < 1) {
            throw new IllegalArgumentException("speed must be 0 or more, request seconds and pool at least 1");
        }
        if (swapHeads.every() > 0 && model.kvHeads() / prefillTp < 2) {
            throw new IllegalArgumentException("--swap-heads needs at least two KV heads on a prefill rank; "
                    + model.name() + " has " + model.kvHeads() + " for " + prefillTp + " tensor-parallel ranks");
        }
        for (StateGeometry state : model.states()) {
            if (state.dimension() == 0 && !model.mla() && prefillTp != decodeTp) {
                throw new IllegalArgumentException("state '" + state.type() + "' of model " + model.name()
                        + " needs as many tensor-parallel ranks on both sides, found prefill " + prefillTp + ", decode "
                        + decodeTp);
            }
        }
        for (Kill kill : kills) {
            Side side = kill.side();
            int ranks = side == null ? 1 : ranks(side, prefillTp * prefillPp, decodeTp);
            if (kill.rank() >= ranks) {
                throw new IllegalArgumentException("--kill " + kill + ": that side has ranks 0 to " + (ranks - 1));
            }
        }
    }

    private static int ranks(Side side, int prefill, int decode) {
        return "prefill".equals(side.role()) ? prefill : decode;
    }
}
