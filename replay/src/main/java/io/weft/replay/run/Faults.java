package io.weft.replay.run;

/**
 * Chooses the pages that are sent wrong on purpose. A page is chosen by its ordinal over the whole run, so the count is
 * exact.
 */
final class Faults {
    private final ReplayOptions options;
    private final Tally tally;

    Faults(ReplayOptions options, Tally tally) {
        this.options = options;
        this.tally = tally;
    }

    boolean any() {
        return options.corrupt().every() > 0
                || options.dropPage().every() > 0
                || options.swapHeads().every() > 0;
    }

    /**
     * What to do with the next page.
     *
     * @return name of the rank's fault, empty for none
     */
    String next() {
        long ordinal = tally.pageOrdinal.incrementAndGet();
        if (options.corrupt().hits(ordinal)) {
            return "flip";
        }
        if (options.dropPage().hits(ordinal)) {
            return "drop";
        }
        return options.swapHeads().hits(ordinal) ? "swapHeads" : "";
    }
}
