package io.weft.kv.plan;

import java.util.List;

/**
 * Segments of one state component.
 *
 * @param parts tensors with their segments; empty if there is nothing to move
 * @param dropped indices of the longer list that have no partner and are left out, for page types that tolerate a drift
 * @since 0.1
 */
public record StatePlan(List<Part> parts, int dropped) {
    /** Nothing to move. */
    public static final StatePlan NOTHING = new StatePlan(List.of(), 0);

    /** Copies the list. */
    public StatePlan {
        parts = List.copyOf(parts);
    }

    /**
     * Tensors that share one segment table; positions are the same on both sides.
     *
     * @param tensors positions in the component
     * @param segments what to move in each
     * @since 0.1
     */
    public record Part(List<Integer> tensors, SegmentPlan segments) {}
}
