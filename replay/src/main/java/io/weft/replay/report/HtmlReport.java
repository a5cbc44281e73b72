package io.weft.replay.report;

import io.weft.replay.run.Outage;
import io.weft.replay.run.RankReport;
import io.weft.replay.run.ReplayOptions;
import io.weft.replay.run.ReplayResult;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** The result as one self-contained page: no script, no request to anywhere, readable on a phone and in the dark. */
public final class HtmlReport {
    private HtmlReport() {}

    /**
     * Renders a result.
     *
     * @param result what came out
     * @param when shown in the page's head
     * @return a page
     */
    public static String of(ReplayResult result, ZonedDateTime when) {
        return template()
                .replace("{{verdict}}", verdict(result))
                .replace("{{verdictClass}}", result.isGood() ? "good" : "bad")
                .replace("{{subtitle}}", Html.escape(subtitle(result, when)))
                .replace("{{tiles}}", tiles(result))
                .replace("{{timeline}}", Charts.timeline(result))
                .replace("{{throughput}}", Charts.throughput(result))
                .replace("{{latency}}", Charts.latency(result))
                .replace("{{failures}}", failures(result))
                .replace("{{ranks}}", ranks(result))
                .replace("{{selection}}", selection(result));
    }

    private static String template() {
        try (InputStream in = HtmlReport.class.getResourceAsStream("report.html")) {
            if (in == null) {
                throw new IllegalStateException("report.html is missing in the jar of " + HtmlReport.class.getName());
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read report.html", e);
        }
    }

    private static String verdict(ReplayResult result) {
        if (result.mismatched() > 0) {
            return Html.count(result.mismatched()) + " pages arrived wrong";
        }
        String pages = Html.count(result.verified()) + " pages verified, none wrong";
        return result.failed() == 0 ? pages : pages + "; " + result.failed() + " requests failed";
    }

    private static String subtitle(ReplayResult result, ZonedDateTime when) {
        ReplayOptions o = result.options();
        return String.format(
                Locale.ROOT,
                "%s at scale %s, prefill %dx%d to decode %d, backend %s, trace %s, %s",
                o.model().name(),
                o.scale(),
                o.prefillTp(),
                o.prefillPp(),
                o.decodeTp(),
                o.backend(),
                o.trace().source(),
                when.format(DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm zzz", Locale.ROOT))
                        // A date is not broken over two lines.
                        .replace('-', '\u2011')
                        .replace(' ', '\u00a0'));
    }

    private static String tiles(ReplayResult result) {
        return tile(
                        "Requests",
                        Html.count(result.succeeded()) + " of "
                                + Html.count(result.requests().size()),
                        "ended well")
                + tile("Pages", Html.count(result.verified()), Html.count(result.mismatched()) + " wrong")
                + tile("Prefix hits", Html.count(result.prefixPages()), "pages that did not travel")
                + tile(
                        "Moved",
                        Html.bytes(result.bytes()),
                        Html.bytes(result.bytes() / result.seconds()) + "/s over all")
                + tile(
                        "Median transfer",
                        Html.micros(result.latency().p50()),
                        "p99 " + Html.micros(result.latency().p99()))
                + tile(
                        "Wall time",
                        String.format(Locale.ROOT, "%.1f s", result.seconds()),
                        result.ranks().size() + " ranks");
    }

    private static String tile(String name, String value, String detail) {
        return "<div class=\"tile\"><span>" + name + "</span><strong>" + value + "</strong><small>" + detail
                + "</small></div>\n";
    }

    private static String failures(ReplayResult result) {
        StringBuilder html = new StringBuilder();
        for (Outage outage : result.outages()) {
            html.append("<p>Killed on purpose: ")
                    .append(Html.escape(outage.toString()))
                    .append("</p>\n");
        }
        if (!result.outages().isEmpty()) {
            html.append("<p>")
                    .append(Html.count(result.succeededAfterOutages()))
                    .append(" requests admitted after that succeeded; ")
                    .append(result.unexplained())
                    .append(" failed that were not open when a process died.</p>\n");
        }
        if (result.reasons().isEmpty()) {
            return html.append("<p>No request failed.</p>").toString();
        }
        html.append("<table><tr><th>Requests</th><th>Reason</th></tr>\n");
        for (Map.Entry<String, Long> reason : result.reasons().entrySet()) {
            html.append("<tr><td class=\"number\">")
                    .append(reason.getValue())
                    .append("</td><td>")
                    .append(Html.escape(reason.getKey()))
                    .append("</td></tr>\n");
        }
        return html.append("</table>").toString();
    }

    private static String ranks(ReplayResult result) {
        StringBuilder html = new StringBuilder();
        for (RankReport rank : result.ranks()) {
            html.append("<details><summary>")
                    .append(Html.escape(rank.name()))
                    .append(" <small>pid ")
                    .append(rank.pid())
                    .append("</small></summary><pre>")
                    .append(Html.escape(rank.stats().toPrettyString()))
                    .append("</pre></details>\n");
        }
        return html.toString();
    }

    private static String selection(ReplayResult result) {
        for (RankReport rank : result.ranks()) {
            JsonNode selection = rank.stats().path("selection");
            if (selection.isString()) {
                return "<pre>" + Html.escape(selection.asString()) + "</pre>";
            }
        }
        return "<p>No rank told how its path was selected.</p>";
    }
}
