package io.weft.cli;

import io.weft.bootstrap.RankEntry;
import io.weft.bootstrap.RegistryView;
import io.weft.bootstrap.Topology;
import io.weft.telemetry.StallText;
import java.util.HexFormat;

/** The page of a bootstrap registry: plain HTML that loads nothing and runs nothing. */
final class StatusPage {
    private static final String HEAD = """
            <!DOCTYPE html>
            <html lang="en"><head><meta charset="utf-8"><meta http-equiv="refresh" content="5"><title>Weft registry</title>
            <style>
            body { font: 15px/1.5 system-ui, sans-serif; margin: 2em auto; max-width: 70em; padding: 0 1em; color: #222 }
            table { border-collapse: collapse; width: 100% }
            th, td { text-align: left; padding: .3em .8em .3em 0; border-bottom: 1px solid #ddd }
            .ready { color: #176317 } .unready { color: #a11 }
            </style></head><body>
            """;

    private StatusPage() {}

    static String html(RegistryView view) {
        StringBuilder page = new StringBuilder(HEAD);
        page.append("<h1>Weft registry</h1>\n<p id=\"state\" class=\"");
        page.append(view.ready() ? "ready" : "unready")
                .append("\">")
                .append(state(view))
                .append("</p>\n");
        view.topology()
                .ifPresent(shape -> page.append("<p>").append(shape(shape)).append("</p>\n"));
        page.append("<h2>Ranks</h2>\n<table><tr><th>DP</th><th>CP</th><th>TP</th><th>PP</th><th>control port</th>");
        page.append("<th>epoch</th><th>engine</th><th>heard</th></tr>\n");
        view.ranks().forEach(rank -> row(page, rank));
        page.append("</table>\n");
        if (!view.losses().isEmpty()) {
            page.append("<h2>Lost lately</h2>\n<ul>\n");
            view.losses().forEach(loss -> loss(page, loss));
            page.append("</ul>\n");
        }
        page.append(
                "<p>Rooms, transfers and links of a rank: <code>weft inspect HOST:PORT</code>, with the <code>opsPort</code> that the");
        page.append(" rank told when it was ready. Metrics: <a href=\"/metrics\">/metrics</a>.</p>\n");
        return page.append("<p>Registry ")
                .append(escape(view.instance()))
                .append("</p></body></html>\n")
                .toString();
    }

    private static String state(RegistryView view) {
        if (view.topology().isEmpty()) {
            return "Not ready: no prefill rank has registered yet";
        }
        long needed = view.topology().get().ranks();
        return (view.ready() ? "Ready: " : "Not ready: ") + view.registered() + " of " + needed
                + " prefill ranks have registered";
    }

    private static String shape(Topology shape) {
        return "Instance: TP " + shape.tpSize() + ", CP " + shape.cpSize() + ", DP " + shape.dpSize() + ", PP "
                + shape.ppSize() + (shape.pageSize() == null ? "" : ", pages of " + shape.pageSize() + " tokens")
                + (shape.dtype() == null ? "" : ", " + escape(String.valueOf(shape.dtype())));
    }

    private static void row(StringBuilder page, RegistryView.Rank rank) {
        RankEntry entry = rank.entry();
        page.append("<tr><td>")
                .append(entry.key().dp())
                .append("</td><td>")
                .append(entry.key().cp());
        page.append("</td><td>")
                .append(entry.key().tp())
                .append("</td><td>")
                .append(entry.key().pp());
        page.append("</td><td>").append(escape(entry.ip())).append(':').append(entry.port());
        page.append("</td><td>").append(HexFormat.of().toHexDigits(entry.epoch()));
        page.append("</td><td>").append(escape(entry.engineKey())).append("</td><td>");
        page.append(StallText.duration(rank.silentNanos())).append(" ago</td></tr>\n");
    }

    private static void loss(StringBuilder page, RegistryView.Loss loss) {
        RankEntry entry = loss.entry();
        page.append("<li>TP ")
                .append(entry.key().tp())
                .append(", PP ")
                .append(entry.key().pp())
                .append(" at ");
        page.append(escape(entry.ip())).append(':').append(entry.port()).append(", ");
        page.append(StallText.duration(loss.agoNanos()))
                .append(" ago: ")
                .append(escape(loss.why()))
                .append("</li>\n");
    }

    /** Ranks say what they are called. */
    private static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }
}
