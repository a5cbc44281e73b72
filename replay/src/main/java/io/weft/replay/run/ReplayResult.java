package io.weft.replay.run;

import io.weft.replay.model.ScaledModel;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/**
 * What came out of a replay.
 *
 * @param options what was asked for
 * @param model what was carried
 * @param requests every request, by room
 * @param seconds from the first arrival to the last end
 * @param pagesCorrupted pages sent wrong on purpose, counted at every decode rank
 * @param latency transfer latency of succeeded requests in microseconds
 * @param ranks what the ranks say of themselves
 * @param outages processes killed on purpose, with their times
 */
public record ReplayResult(
        ReplayOptions options,
        ScaledModel model,
        List<RequestRecord> requests,
        double seconds,
        long pagesCorrupted,
        Latency latency,
        List<RankReport> ranks,
        List<Outage> outages) {
    /**
     * Percentiles, in microseconds; without correction for coordinated omission, since arrivals are the trace's own and do
     * not wait for ends.
     *
     * @param p50 median
     * @param p90 90th percentile
     * @param p99 99th percentile
     * @param max longest
     */
    public record Latency(long p50, long p90, long p99, long max) {}

    static ReplayResult of(
            ReplayOptions options,
            ScaledModel model,
            Tally tally,
            double seconds,
            List<RankReport> ranks,
            List<Outage> outages) {
        List<RequestRecord> requests = tally.records().stream()
                .sorted(Comparator.comparingLong(RequestRecord::room))
                .toList();
        Histogram histogram = new Histogram(3);
        requests.stream()
                .filter(RequestRecord::succeeded)
                .forEach(r -> histogram.recordValue(Math.max(0, r.latencyMicros())));
        Latency latency = new Latency(
                histogram.getValueAtPercentile(50),
                histogram.getValueAtPercentile(90),
                histogram.getValueAtPercentile(99),
                histogram.getMaxValue());
        return new ReplayResult(
                options, model, requests, seconds, tally.pagesCorrupted.get(), latency, ranks, List.copyOf(outages));
    }

    /**
     * Succeeded requests.
     *
     * @return a count
     */
    public long succeeded() {
        return requests.stream().filter(RequestRecord::succeeded).count();
    }

    /**
     * Failed requests.
     *
     * @return a count
     */
    public long failed() {
        return requests.size() - succeeded();
    }

    /**
     * Pages found wrong.
     *
     * @return a count over all decode ranks
     */
    public long mismatched() {
        return requests.stream().mapToLong(RequestRecord::mismatched).sum();
    }

    /**
     * Pages that were checked, of succeeded requests.
     *
     * @return a count over all decode ranks
     */
    public long verified() {
        return requests.stream()
                .filter(RequestRecord::succeeded)
                .mapToLong(RequestRecord::verified)
                .sum();
    }

    /**
     * Pages that were sent.
     *
     * @return a count over all decode ranks
     */
    public long sent() {
        return requests.stream().mapToLong(RequestRecord::pages).sum();
    }

    /**
     * Pages that did not travel, since decode had them.
     *
     * @return a count over all decode ranks
     */
    public long prefixPages() {
        return requests.stream().mapToLong(RequestRecord::prefixPages).sum();
    }

    /**
     * Bytes that decode ranks received.
     *
     * @return bytes
     */
    public long bytes() {
        return requests.stream().mapToLong(RequestRecord::bytes).sum();
    }

    /**
     * Failures by reason. Reasons that differ in numbers only count as one, shown by its first occurrence.
     *
     * @return reason and count
     */
    public Map<String, Long> reasons() {
        Map<String, String> first = new HashMap<>();
        Map<String, Long> reasons = new TreeMap<>();
        for (RequestRecord request : requests) {
            if (!request.succeeded()) {
                String line = request.reason().lines().findFirst().orElse("");
                String example = first.putIfAbsent(line.replaceAll("[0-9]+", "#"), line);
                reasons.merge(example == null ? line : example, 1L, Long::sum);
            }
        }
        return reasons;
    }

    /**
     * Failed requests that no process killed on purpose explains: they were not open when one died.
     *
     * @return a count
     */
    public long unexplained() {
        return requests.stream()
                .filter(r -> !r.succeeded() && outages.stream().noneMatch(outage -> outage.explains(r)))
                .count();
    }

    /**
     * Requests that succeeded though they were admitted after a process had been replaced.
     *
     * @return a count; 0 if none was killed
     */
    public long succeededAfterOutages() {
        long last = outages.stream().mapToLong(Outage::untilMicros).max().orElse(Long.MAX_VALUE);
        return requests.stream()
                .filter(r -> r.succeeded() && r.admitted() >= last)
                .count();
    }

    /**
     * Whether everything was right: nothing wrong, nothing failed that was not broken on purpose, nothing left in a rank.
     *
     * @return true if the command may exit with 0
     */
    public boolean isGood() {
        return mismatched() == 0
                && unexplained() == 0
                && ranks.stream().allMatch(rank -> rank.left().isEmpty());
    }
}
