package io.weft.kv.plan;

import java.util.ArrayList;
import java.util.List;

/**
 * Fills segment plans for chunks of pages, reusing its arrays.
 *
 * <p>Confined to one thread; the plans of a call are valid until the next one.
 *
 * @since 0.1
 */
public final class KvPlanner {
    private final PageRuns runs = new PageRuns();
    private final List<SegmentPlan> plans = new ArrayList<>();

    /** A planner with empty arrays. */
    public KvPlanner() {}

    /**
     * Plans one chunk between two ranks.
     *
     * @param route how their buffers map
     * @param source source pages
     * @param destination destination pages of the room
     * @param destinationFrom position of the chunk in them
     * @return one plan per group of the route, in order; more are leftovers of earlier calls
     * @throws io.weft.api.WeftException INVALID_ARGUMENT if the chunk reaches beyond the destination pages
     */
    public List<SegmentPlan> plan(KvRoute route, int[] source, int[] destination, int destinationFrom) {
        if (destinationFrom < 0 || source.length > destination.length - destinationFrom) {
            throw Refusal.invalid(
                    "chunk of %d pages at position %d reaches beyond the %d destination pages of the room",
                    source.length, destinationFrom, destination.length);
        }
        boolean grouped = false;
        for (int i = 0; i < route.groups().size(); i++) {
            KvRoute.Group group = route.groups().get(i);
            SegmentPlan plan = cleared(i);
            HeadSlice slice = group.slice();
            if (slice != null) {
                slice.plan(source, 0, destination, destinationFrom, source.length, plan);
                continue;
            }
            if (!grouped) {
                runs.group(source, 0, destination, destinationFrom, source.length);
                grouped = true;
            }
            runs.materialize(group.itemLen(), plan);
        }
        return plans;
    }

    private SegmentPlan cleared(int i) {
        if (i == plans.size()) {
            plans.add(new SegmentPlan());
        }
        SegmentPlan plan = plans.get(i);
        plan.clear();
        return plan;
    }
}
