package io.weft.tck.report;

import io.weft.tck.contract.Contract;
import io.weft.tck.contract.Rule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Which backend was shown to keep which rules: a page made of nothing but certificates. */
public final class SupportMatrix {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final String HEAD = """
            # Support matrix

            <!-- Written by `weft tck matrix` from the certificates that it links; a test holds the two equal. -->

            Which rules of the transfer contract (contract.md) the compatibility kit has proved for which backend. Each column is a
            certificate, as `weft tck --report DIR` writes it.

            """;
    private static final String LEGEND = """

            In the tables that follow **✓** says that every case of the rule held, `n/a` that it is about what the backend does not
            declare, `untestable` that no test can prove it, `not-run` that it was not among the selected rules; nothing, that the
            contract did not have the rule yet. Why a rule of a column is none of the first three is in its certificate.
            """;

    private final Path directory;
    private final List<Column> columns = new ArrayList<>();
    private final StringBuilder page = new StringBuilder(HEAD);

    /** One certificate. */
    private record Column(String link, JsonNode certificate, Map<String, Verdict> verdicts) {
        String text(String... keys) {
            JsonNode node = certificate;
            for (String key : keys) {
                node = node.path(key);
            }
            return node.asString("");
        }

        String fields(String key) {
            String all = certificate.path(key).properties().stream()
                    .map(field -> field.getKey() + "=" + field.getValue().asString())
                    .collect(Collectors.joining(", "));
            return all.isEmpty() ? "none" : all;
        }

        String items(String key) {
            return certificate.path(key).values().stream()
                    .map(JsonNode::asString)
                    .collect(Collectors.joining(", "));
        }

        String result() {
            Map<Verdict, Long> counts = verdicts.values().stream()
                    .collect(Collectors.groupingBy(v -> v, TreeMap::new, Collectors.counting()));
            return (certificate.path("passed").asBoolean(false) ? "**passed**: " : "not passed: ")
                    + counts.entrySet().stream()
                            .map(e -> e.getValue() + " " + e.getKey().text())
                            .collect(Collectors.joining(", "));
        }

        String mark(String rule) {
            return switch (verdicts.get(rule)) {
                case null -> "";
                case PASSED -> "✓";
                case NOT_APPLICABLE -> "n/a";
                case FAILED -> "**failed**";
                case Verdict other -> other.text();
            };
        }
    }

    private SupportMatrix(Path directory) {
        this.directory = directory;
    }

    /**
     * Renders.
     *
     * @param certificates files of certificates in JSON, one for each column
     * @param directory where the page will lie, for its links
     * @return a page in Markdown
     * @throws IOException if a file cannot be read
     */
    public static String render(List<Path> certificates, Path directory) throws IOException {
        SupportMatrix matrix = new SupportMatrix(directory.toAbsolutePath().normalize());
        for (Path file : certificates) {
            matrix.add(file);
        }
        matrix.facts();
        matrix.page.append(LEGEND);
        matrix.rules();
        return matrix.page.toString();
    }

    private void add(Path file) throws IOException {
        String name = String.valueOf(file.getFileName()).replaceFirst("\\.json$", "");
        String there = directory.relativize(file.toAbsolutePath().normalize()).toString();
        columns.add(new Column(
                "[" + name + "](" + there.replace('\\', '/') + ")",
                JSON.readTree(Files.readString(file)),
                Certificate.readVerdicts(file)));
    }

    private void facts() {
        row("", Column::link);
        row("---", c -> "---");
        row("result", Column::result);
        row("backend", c -> c.text("provider") + " " + c.text("versions", "provider"));
        row("options", c -> c.fields("options"));
        row("memory", c -> c.items("memory"));
        row("bounds are enforced by", c -> c.text("enforcement").toLowerCase(Locale.ROOT));
        row("SPI level", c -> c.text("spiLevel"));
        row("kit", c -> c.text("versions", "tck"));
        row("Java", c -> c.text("versions", "java"));
        row("platform", c -> c.text("platform", "os") + ", " + c.text("platform", "arch"));
        row("profile", c -> c.text("profile"));
        row("seed", c -> c.text("seed"));
        row("date", c -> c.text("time").replaceFirst("T.*", ""));
    }

    private void rules() {
        String section = "";
        for (Rule rule : Contract.load().rules()) {
            if (!rule.section().equals(section)) {
                section = rule.section();
                page.append("\n## ").append(section).append("\n\n");
                row("rule", Column::link);
                row("---", c -> "---");
            }
            row(rule.id(), c -> c.mark(rule.id()));
        }
    }

    private void row(String title, Function<Column, String> cell) {
        page.append("| ").append(title);
        columns.forEach(column -> page.append(" | ").append(cell.apply(column)));
        page.append(" |\n");
    }
}
