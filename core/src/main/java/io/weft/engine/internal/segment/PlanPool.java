package io.weft.engine.internal.segment;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.jctools.queues.varhandle.MpmcVarHandleArrayQueue;

/**
 * Keeps plans for the next transfers, by size class, so that segments cost no allocation once warm. Keeps at most some 32 MiB
 * in each large class; what does not fit is garbage. Safe from any thread, never blocks.
 *
 * @param <P> the plans
 */
public final class PlanPool<P extends SegmentPlan> {
    private static final int SMALLEST_CLASS = 3;
    private static final int LARGEST_CLASS = 22;
    private static final long KEPT_BYTES_PER_CLASS = 32L << 20;
    private static final int MOST_PLANS_PER_CLASS = 1024;
    private static final long BYTES_PER_SEGMENT = 3 * Long.BYTES;

    private final IntFunction<P> factory;
    private final List<MpmcVarHandleArrayQueue<P>> classes = new ArrayList<>();

    /**
     * Makes a pool.
     *
     * @param factory makes a plan of a size class
     */
    public PlanPool(IntFunction<P> factory) {
        this.factory = factory;
        for (int c = SMALLEST_CLASS; c <= LARGEST_CLASS; c++) {
            long fit = KEPT_BYTES_PER_CLASS / (BYTES_PER_SEGMENT << c);
            classes.add(new MpmcVarHandleArrayQueue<>(Math.clamp(fit, 2, MOST_PLANS_PER_CLASS)));
        }
    }

    /**
     * Gives an empty plan.
     *
     * @param segments how many it must have room for
     * @return a plan, the caller's until {@link #giveBack}
     */
    public P take(int segments) {
        int sizeClass = Math.max(SMALLEST_CLASS, 32 - Integer.numberOfLeadingZeros(Math.max(segments, 1) - 1));
        if (sizeClass <= LARGEST_CLASS) {
            P kept = classes.get(sizeClass - SMALLEST_CLASS).relaxedPoll();
            if (kept != null) {
                return kept;
            }
        }
        return factory.apply(sizeClass);
    }

    /**
     * Takes a plan back.
     *
     * @param plan a plan of this pool, not used any more
     */
    public void giveBack(P plan) {
        plan.clear();
        if (plan.sizeClass() <= LARGEST_CLASS) {
            classes.get(plan.sizeClass() - SMALLEST_CLASS).relaxedOffer(plan);
        }
    }
}
