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
            <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
            <meta http-equiv="refresh" content="5"><title>Weft registry</title>
            <style>
            :root { color-scheme: light dark; --line: #ddd; --good: #176317; --bad: #a11; --quiet: #666 }
            @media (prefers-color-scheme: dark) { :root { --line: #444; --good: #7fce7f; --bad: #ff8a80; --quiet: #aaa } }
            body { font: 15px/1.5 system-ui, sans-serif; margin: 1.5em auto; max-width: 75em; padding: 0 1em; overflow-wrap: anywhere }
            h1 { font-size: 1.5em } h2 { font-size: 1.15em; margin: 1.5em 0 .3em }
            table { border-collapse: collapse; width: 100% }
            th, td { text-align: left; vertical-align: top; padding: .3em .8em .3em 0; border-bottom: 1px solid var(--line) }
            th { font-weight: 600 } thead th { white-space: nowrap }
            code { font-family: ui-monospace, monospace; font-size: .92em }
            #state { font-weight: 600 } .ready { color: var(--good) } .unready { color: var(--bad) } .quiet { color: var(--quiet) }
            @media (max-width: 46em) {
              thead { display: none } tr { display: block; padding: .4em 0; border-bottom: 1px solid var(--line) }
              td { display: grid; grid-template-columns: 7.5em 1fr; padding: .1em 0; border: 0 }
              td::before { content: attr(data-what); color: var(--quiet) }
            }
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
        ranks(page, view);
        rooms(page, view);
        losses(page, view);
        page.append("<p class=\"quiet\">Registry ").append(escape(view.instance()));
        return page.append(
                        ". Metrics: <a href=\"/metrics\">/metrics</a>. This page renews itself every 5 s.</p></body></html>\n")
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

    private static void ranks(StringBuilder page, RegistryView view) {
        if (view.ranks().isEmpty()) {
            return;
        }
        page.append(
                        "<h2>Prefill ranks</h2>\n<table><thead><tr><th>Rank</th><th>At</th><th>Heard</th><th>Engine</th><th>Epoch</th>")
                .append("<th>Look inside</th></tr></thead>\n<tbody>\n");
        for (RegistryView.Rank rank : view.ranks()) {
            RankEntry entry = rank.entry();
            row(page, entry);
            cell(page, "Heard", StallText.duration(rank.silentNanos()) + " ago");
            cell(page, "Engine", entry.engineKey().isEmpty() ? "not told" : escape(entry.engineKey()));
            cell(page, "Epoch", entry.epoch() == 0 ? "not told" : HexFormat.of().toHexDigits(entry.epoch()));
            cell(page, "Look inside", inspect(entry.operations()));
            page.append("</tr>\n");
        }
        page.append("</tbody></table>\n");
    }

    /** Begins a row with which rank it is of. */
    private static void row(StringBuilder page, RankEntry entry) {
        page.append("<tr>");
        cell(page, "Rank", name(entry));
        cell(page, "At", escape(entry.ip()) + ":" + entry.port());
    }

    private static void cell(StringBuilder page, String what, String html) {
        page.append("<td data-what=\"")
                .append(what)
                .append("\"><span>")
                .append(html)
                .append("</span></td>");
    }

    private static String name(RankEntry entry) {
        RankEntry.Key key = entry.key();
        return "TP " + key.tp() + ", PP " + key.pp() + ", CP " + key.cp() + ", DP " + key.dp();
    }

    /** A rank says itself where it serves; what is no address does not become a link. */
    private static String inspect(String operations) {
        if (operations.isEmpty()) {
            return "<span class=\"quiet\">set <code>weft.ops.port</code> there</span>";
        }
        String text = "<code>weft inspect " + escape(operations) + "</code>";
        String there = operations.startsWith("127.") || operations.startsWith("[::1]") ? " on its host" : "";
        return operations.matches("[A-Za-z0-9.:\\[\\]-]+:[0-9]{1,5}")
                ? "<a href=\"http://" + operations + "/inspect\">" + text + "</a>" + there
                : text;
    }

    private static void rooms(StringBuilder page, RegistryView view) {
        page.append("<h2>Rooms</h2>\n<p>");
        if (view.rooms() > 0) {
            page.append(view.rooms()).append(view.rooms() == 1 ? " room" : " rooms");
            page.append(" of the last minutes whose DP rank the registry was told. ");
        }
        page.append("Ranks keep their rooms themselves: \"look inside\" shows them, and what each waits for. ");
        page.append("Decode ranks do not register; each tells its <code>opsPort</code> when it is ready.</p>\n");
    }

    private static void losses(StringBuilder page, RegistryView view) {
        page.append("<h2>Lost lately</h2>\n");
        if (view.losses().isEmpty()) {
            page.append("<p>None.</p>\n");
            return;
        }
        page.append("<table><thead><tr><th>Rank</th><th>At</th><th>Lost</th><th>Why</th></tr></thead>\n<tbody>\n");
        for (RegistryView.Loss loss : view.losses()) {
            row(page, loss.entry());
            cell(page, "Lost", StallText.duration(loss.agoNanos()) + " ago");
            cell(page, "Why", escape(loss.why()));
            page.append("</tr>\n");
        }
        page.append("</tbody></table>\n");
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
