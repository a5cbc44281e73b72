package io.weft.kv.plan;

import java.util.Arrays;

/**
 * Page pairs grouped into runs that are contiguous on both sides: a run ends where the next source or the next destination
 * page does not follow the last one by exactly one.
 *
 * <p>Confined to one thread; filled again and again without allocating.
 *
 * @since 0.1
 */
public final class PageRuns {
    private int[] sourceStarts = new int[64];
    private int[] destinationStarts = new int[64];
    private int[] counts = new int[64];
    private int size;

    /** No runs. */
    public PageRuns() {}

    /**
     * Groups whole lists.
     *
     * @param source source pages
     * @param destination destination pages
     * @return this
     * @throws io.weft.api.WeftException INVALID_ARGUMENT if the lists differ in length
     */
    public PageRuns group(int[] source, int[] destination) {
        if (source.length != destination.length) {
            throw Refusal.invalid(
                    "group pages: %d source pages and %d destination pages, must be equally many",
                    source.length, destination.length);
        }
        return group(source, 0, destination, 0, source.length);
    }

    /**
     * Groups parts of lists.
     *
     * @param source source pages
     * @param sourceFrom first one to take
     * @param destination destination pages
     * @param destinationFrom first one to take
     * @param pages how many to take from each
     * @return this
     * @throws io.weft.api.WeftException INVALID_ARGUMENT if a list is shorter than that
     */
    public PageRuns group(int[] source, int sourceFrom, int[] destination, int destinationFrom, int pages) {
        if (pages < 0 || pages > source.length - sourceFrom || pages > destination.length - destinationFrom) {
            throw Refusal.invalid(
                    "group %d pages from position %d of %d source pages and position %d of %d destination pages: "
                            + "not that many",
                    pages, sourceFrom, source.length, destinationFrom, destination.length);
        }
        size = 0;
        int i = 0;
        while (i < pages) {
            int firstSource = source[sourceFrom + i];
            int firstDestination = destination[destinationFrom + i];
            int run = 1;
            while (i + run < pages
                    && source[sourceFrom + i + run] == firstSource + run
                    && destination[destinationFrom + i + run] == firstDestination + run) {
                run++;
            }
            append(firstSource, firstDestination, run);
            i += run;
        }
        return this;
    }

    /**
     * Adds the runs as segments.
     *
     * @param itemLen bytes of one page, the same on both sides
     * @param plan gets one segment per run
     */
    public void materialize(long itemLen, SegmentPlan plan) {
        plan.reserve(size);
        for (int i = 0; i < size; i++) {
            plan.add(sourceStarts[i] * itemLen, destinationStarts[i] * itemLen, counts[i] * itemLen);
        }
    }

    /**
     * Number of runs.
     *
     * @return the count
     */
    public int size() {
        return size;
    }

    /**
     * First source page of a run.
     *
     * @param run index below {@link #size}
     * @return the page
     */
    public int source(int run) {
        return sourceStarts[run];
    }

    /**
     * First destination page of a run.
     *
     * @param run index below {@link #size}
     * @return the page
     */
    public int destination(int run) {
        return destinationStarts[run];
    }

    /**
     * Pages of a run.
     *
     * @param run index below {@link #size}
     * @return the count, 1 or more
     */
    public int count(int run) {
        return counts[run];
    }

    private void append(int source, int destination, int count) {
        if (size == counts.length) {
            int capacity = size * 2;
            sourceStarts = Arrays.copyOf(sourceStarts, capacity);
            destinationStarts = Arrays.copyOf(destinationStarts, capacity);
            counts = Arrays.copyOf(counts, capacity);
        }
        sourceStarts[size] = source;
        destinationStarts[size] = destination;
        counts[size] = count;
        size++;
    }
}
