package io.weft.replay.run;

/**
 * What became of one request. Times in microseconds since the replay began; 0 for phases that were not reached.
 *
 * @param room its room
 * @param arrived when the trace sent it
 * @param admitted when it had pages on both sides
 * @param computed when prefill had its pages
 * @param transferred when every rank had told the room's end
 * @param ended when its pages were checked, or it had failed
 * @param pages pages sent, over all decode ranks
 * @param verified pages found right or wrong, over all decode ranks
 * @param mismatched pages found wrong
 * @param prefixPages pages that did not travel, over all decode ranks
 * @param bytes bytes sent
 * @param reason why it failed, empty for success
 */
public record RequestRecord(
        long room,
        long arrived,
        long admitted,
        long computed,
        long transferred,
        long ended,
        long pages,
        long verified,
        long mismatched,
        long prefixPages,
        long bytes,
        String reason) {
    /**
     * Whether it succeeded, whatever its pages hold.
     *
     * @return true without a reason
     */
    public boolean succeeded() {
        return reason.isEmpty();
    }

    /**
     * Time that the transfer took.
     *
     * @return microseconds from the first page's readiness to the room's end
     */
    public long latencyMicros() {
        return transferred - computed;
    }
}
