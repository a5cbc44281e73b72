package io.weft.tck.report;

import io.weft.tck.harness.EngineState;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/** The certificate for people: one page without anything to load. */
final class HtmlPage {
    private final StringBuilder html = new StringBuilder();

    private HtmlPage() {}

    static void write(Path file, Certificate certificate, List<Results.CaseResult> cases) throws IOException {
        HtmlPage page = new HtmlPage();
        page.head(certificate);
        page.workLeft(certificate.workLeft());
        page.facts(certificate);
        page.rules(certificate, cases);
        page.html.append("</main>\n</body>\n</html>\n");
        Files.createDirectories(file.toAbsolutePath().getParent());
        Files.writeString(file, page.html);
    }

    private void head(Certificate certificate) throws IOException {
        html.append("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
        html.append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>");
        text(certificate.statement()).append("</title>\n<style>\n");
        try (InputStream css = HtmlPage.class.getResourceAsStream("page.css")) {
            html.append(new String(
                    Objects.requireNonNull(css, "page.css is missing in the kit's jar")
                            .readAllBytes(),
                    StandardCharsets.UTF_8));
        }
        html.append("</style>\n</head>\n<body>\n<main>\n<h1 class=\"")
                .append(certificate.passed() ? "passed" : "failed")
                .append("\">");
        text(certificate.statement()).append("</h1>\n<p>");
        text(certificate.counts()).append(".</p>\n");
        for (String note : certificate.notes()) {
            html.append("<p class=\"note\">");
            text(note).append("</p>\n");
        }
    }

    private void workLeft(WorkLeft left) {
        if (left.items().isEmpty()) {
            return;
        }
        html.append("<section class=\"next\">\n<h2>What to do next</h2>\n")
                .append("<p>In the order of <code>docs/backend-guide.md</code>.</p>\n<ol>\n");
        for (WorkLeft.Item item : left.items()) {
            html.append("<li value=\"").append(item.step().number()).append("\"><b>");
            text(item.step().title()).append("</b>: ");
            text(item.step().work()).append("\n<ul>\n");
            for (Unwritten method : item.unwritten()) {
                html.append("<li>write <code>");
                text(method.method()).append("</code>: ");
                text(method.seen()).append("</li>\n");
            }
            rules(WorkLeft.FAILED_TITLE, item.failed());
            rules(item.untriedTitle(), item.untried());
            html.append("</ul></li>\n");
        }
        html.append("</ol>\n</section>\n");
    }

    private void rules(String title, List<String> ids) {
        if (!ids.isEmpty()) {
            html.append("<li>").append(title);
            html.append(ids.stream()
                            .map(id -> "<a href=\"#" + id + "\">" + id + "</a>")
                            .collect(Collectors.joining(", ")))
                    .append("</li>\n");
        }
    }

    private void facts(Certificate certificate) {
        html.append("<table class=\"facts\">\n");
        certificate.header().forEach((key, value) -> {
            html.append("<tr><th>");
            text(key).append("</th><td>");
            text(value instanceof Map<?, ?> map ? plain(map) : String.valueOf(value))
                    .append("</td></tr>\n");
        });
        html.append("</table>\n");
    }

    private static String plain(Map<?, ?> map) {
        return map.isEmpty()
                ? "none"
                : map.toString().substring(1, map.toString().length() - 1);
    }

    private void rules(Certificate certificate, List<Results.CaseResult> cases) {
        String section = "";
        for (Certificate.RuleVerdict rule : certificate.rules()) {
            if (!rule.rule().section().equals(section)) {
                if (!section.isEmpty()) {
                    html.append("</table>\n");
                }
                section = rule.rule().section();
                html.append("<h2>");
                text(section)
                        .append("</h2>\n<table class=\"rules\">\n")
                        .append("<tr><th>rule</th><th>verdict</th><th>cases</th><th>time</th><th>text</th></tr>\n");
            }
            row(
                    rule,
                    cases.stream()
                            .filter(c -> c.rule().equals(rule.rule().id()))
                            .toList());
        }
        html.append("</table>\n");
    }

    private void row(Certificate.RuleVerdict rule, List<Results.CaseResult> cases) {
        String verdict = rule.verdict().text();
        html.append("<tr id=\"")
                .append(rule.rule().id())
                .append("\"><td>")
                .append(rule.rule().id());
        html.append("</td><td><span class=\"")
                .append(verdict)
                .append("\">")
                .append(verdict)
                .append("</span></td><td>");
        html.append(rule.cases()).append("</td><td>");
        html.append(rule.cases() == 0 ? "" : String.format(Locale.ROOT, "%.2f s", rule.seconds()))
                .append("</td><td>");
        text(rule.rule().text());
        html.append(" <small>")
                .append(rule.rule().owner().name().toLowerCase(Locale.ROOT))
                .append(", ");
        text(rule.rule().level().toString()).append("</small>");
        if (!rule.reason().isEmpty()) {
            html.append("<p class=\"reason\">");
            text(rule.reason()).append("</p>");
        }
        for (Results.CaseResult failed :
                cases.stream().filter(Results.CaseResult::failed).limit(3).toList()) {
            html.append("<details><summary>");
            text(failed.permutation()).append("</summary><pre>");
            folded(String.valueOf(Objects.requireNonNull(failed.thrown()).getMessage()));
            html.append("</pre></details>");
        }
        html.append("</td></tr>\n");
    }

    /** What idle threads do seldom tells anything, and there are many of them. */
    private void folded(String message) {
        List<String> idle = new ArrayList<>();
        for (String line : message.lines().toList()) {
            if (line.strip().startsWith(EngineState.IDLE)) {
                idle.add(line);
            } else {
                fold(idle);
                text(line).append('\n');
            }
        }
        fold(idle);
    }

    private void fold(List<String> idle) {
        if (!idle.isEmpty()) {
            html.append("<details class=\"idle\"><summary>").append(idle.size()).append(" idle threads</summary>");
            text(String.join("\n", idle)).append("</details>");
            idle.clear();
        }
    }

    private StringBuilder text(String raw) {
        return html.append(raw.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;"));
    }
}
