package io.weft.replay.report;

import io.weft.replay.run.ReplayResult;
import io.weft.replay.run.RequestRecord;
import java.util.Arrays;
import java.util.List;

/** The pictures of a replay's report. Pure. */
final class Charts {
    /** Rows drawn in the timeline, at most; of longer runs every n-th request is drawn. */
    private static final int MOST_ROWS = 300;

    private static final int BUCKETS = 90;
    private static final double[] QUANTILES = {0, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 1};

    private Charts() {}

    static String timeline(ReplayResult result) {
        List<RequestRecord> all = result.requests();
        int step = Math.ceilDiv(Math.max(1, all.size()), MOST_ROWS);
        int rows = Math.ceilDiv(all.size(), step);
        double row = Math.clamp(420.0 / Math.max(1, rows), 1.6, 14);
        int height = (int) (rows * row) + 40;
        Chart chart = new Chart("Requests by phase over time", Chart.NO_LABELS, height, end(result), 1);
        secondTicks(chart, end(result));
        for (int i = 0; i < rows; i++) {
            RequestRecord r = all.get(i * step);
            double top = 10 + i * row;
            String title = "room " + r.room() + (r.succeeded() ? "" : ": " + r.reason());
            phase(chart, "wait", r.arrived(), r.admitted(), top, row, title);
            phase(chart, "compute", r.admitted(), r.computed(), top, row, title);
            phase(chart, "transfer", r.computed(), r.transferred(), top, row, title);
            phase(chart, "check", r.transferred(), r.ended(), top, row, title);
            if (!r.succeeded()) {
                long last = Math.max(Math.max(r.arrived(), r.admitted()), Math.max(r.computed(), r.transferred()));
                phase(chart, "bad", last, Math.max(r.ended(), last + 1), top, row, title);
            }
        }
        return chart.end();
    }

    private static void phase(Chart chart, String style, long from, long to, double top, double row, String title) {
        if (to > from && (from > 0 || style.equals("wait"))) {
            chart.bar(style, from / 1e6, to / 1e6, top, Math.max(1, row - 0.6), style + ", " + title);
        }
    }

    static String throughput(ReplayResult result) {
        double seconds = end(result);
        double[] bytes = new double[BUCKETS + 1];
        double[] at = new double[BUCKETS + 1];
        for (RequestRecord r : result.requests()) {
            spread(bytes, r, seconds);
        }
        double width = seconds / BUCKETS;
        for (int i = 0; i <= BUCKETS; i++) {
            at[i] = i * width;
            bytes[i] = bytes[i] / width;
        }
        double most = Arrays.stream(bytes).max().orElse(1);
        Chart chart = new Chart("Throughput over time", Chart.LABELS, 220, seconds, most * 1.1);
        secondTicks(chart, seconds);
        for (double tick : ticks(most, 4)) {
            chart.tickY(tick, Html.bytes(tick) + "/s");
        }
        chart.area("area", at, bytes);
        chart.line("stroke", at, bytes);
        return chart.end();
    }

    /** A request's bytes count evenly over its transfer. */
    private static void spread(double[] buckets, RequestRecord r, double seconds) {
        if (r.bytes() == 0 || r.transferred() <= r.computed()) {
            return;
        }
        double perSecond = BUCKETS / seconds;
        int first = (int) Math.min(BUCKETS, r.computed() / 1e6 * perSecond);
        int last = (int) Math.min(BUCKETS, r.transferred() / 1e6 * perSecond);
        for (int i = first; i <= last; i++) {
            buckets[i] += (double) r.bytes() / (last - first + 1);
        }
    }

    static String latency(ReplayResult result) {
        long[] sorted = result.requests().stream()
                .filter(RequestRecord::succeeded)
                .mapToLong(RequestRecord::latencyMicros)
                .sorted()
                .toArray();
        if (sorted.length == 0) {
            return "<p>No request succeeded.</p>";
        }
        double most = sorted[sorted.length - 1];
        Chart chart = new Chart("Transfer latency by share of requests", Chart.LABELS, 220, 1, most * 1.1);
        for (double q : new double[] {0, 0.25, 0.5, 0.75, 0.9, 0.99}) {
            chart.tickX(q, "p" + Math.round(q * 100));
        }
        for (double tick : ticks(most, 4)) {
            chart.tickY(tick, Html.micros(tick));
        }
        double[] values = Arrays.stream(QUANTILES)
                .map(q -> sorted[(int) (q * (sorted.length - 1))])
                .toArray();
        chart.area("area", QUANTILES, values);
        chart.line("stroke", QUANTILES, values);
        return chart.end();
    }

    private static void secondTicks(Chart chart, double seconds) {
        chart.tickX(0, "0 s");
        for (double tick : ticks(seconds, 6)) {
            chart.tickX(tick, Html.number(tick) + " s");
        }
    }

    /** Round values above 0 and up to the largest, at most the given count and one. */
    static double[] ticks(double most, int count) {
        if (!(most > 0)) {
            return new double[0];
        }
        double power = Math.pow(10, Math.floor(Math.log10(most / count)));
        double step = power;
        for (int factor : new int[] {2, 5, 10}) {
            if (most / step > count + 0.5) {
                step = factor * power;
            }
        }
        double[] ticks = new double[(int) Math.floor(most / step + 1e-6)];
        for (int i = 0; i < ticks.length; i++) {
            ticks[i] = (i + 1) * step;
        }
        return ticks;
    }

    private static double end(ReplayResult result) {
        return Math.max(
                0.001,
                result.requests().stream().mapToLong(RequestRecord::ended).max().orElse(0) / 1e6);
    }
}
