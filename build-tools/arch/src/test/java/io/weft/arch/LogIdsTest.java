package io.weft.arch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Every line that a library of Weft logs about something wrong has an id, and docs/operations.md says what to do about each. */
@Timeout(60)
class LogIdsTest {
    private static final Path ROOT = Path.of("..", "..");
    private static final List<String> LIBRARIES = List.of(
            "api",
            "core",
            "native-support",
            "ops",
            "otel",
            "backend-tcp-loopback",
            "backend-rdma",
            "backend-libfabric");
    private static final Pattern CALL = Pattern.compile("(?i:\\blog|getLogger\\([^;]*?\\))\\s*\\.log\\(");
    private static final Pattern ID = Pattern.compile("\"(WEFT-[A-Z]+(?:-[A-Z]+)*)[ \"]");
    private static final Pattern ENTRY = Pattern.compile("(?m)^\\| `(WEFT-[A-Z-]+)` \\|");
    /** They are given the id or the whole text. */
    private static final Set<String> GIVEN = Set.of("FailureLog.java", "StallWatch.java");

    private record Source(String name, String text) {}

    private static List<Source> sources() throws IOException {
        List<Source> sources = new ArrayList<>();
        for (String library : LIBRARIES) {
            try (Stream<Path> files = Files.walk(ROOT.resolve(library).resolve("src/main/java"))) {
                for (Path file :
                        files.filter(f -> f.toString().endsWith(".java")).toList()) {
                    sources.add(new Source(file.getFileName().toString(), Files.readString(file)));
                }
            }
        }
        return sources;
    }

    /** Arguments of each call of a logger. */
    private static List<String> calls(String text) {
        List<String> calls = new ArrayList<>();
        Matcher call = CALL.matcher(text);
        while (call.find()) {
            calls.add(text.substring(call.end(), text.indexOf(';', call.end())));
        }
        return calls;
    }

    private static Set<String> all(Pattern pattern, String text) {
        return pattern.matcher(text)
                .results()
                .map(found -> found.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void everyWarningAndErrorHasAnId() throws IOException {
        List<String> without = new ArrayList<>();
        int seen = 0;
        for (Source source : sources()) {
            for (String call : calls(source.text())) {
                boolean wrong = call.contains("Level.WARNING") || call.contains("Level.ERROR");
                seen += wrong ? 1 : 0;
                if (wrong && !GIVEN.contains(source.name()) && all(ID, call).isEmpty()) {
                    without.add(source.name() + ": " + call.replaceAll("\\s+", " "));
                }
            }
        }
        assertThat(seen).as("calls that were looked at").isGreaterThan(40);
        assertThat(without).isEmpty();
    }

    @Test
    void theCatalogueHasTheseIdsAndNoOthers() throws IOException {
        Set<String> used = new TreeSet<>();
        for (Source source : sources()) {
            used.addAll(all(ID, source.text()));
        }
        assertThat(all(ENTRY, Files.readString(ROOT.resolve("docs/operations.md"))))
                .isEqualTo(used);
    }
}
