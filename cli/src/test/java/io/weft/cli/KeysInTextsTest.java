package io.weft.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.config.ConfigurationSources;
import io.weft.discovery.Discovery;
import io.weft.discovery.Installation;
import io.weft.telemetry.Metric;
import io.weft.telemetry.TransferSpan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An error text that names a key which does not exist sends people the wrong way. */
@Timeout(60)
class KeysInTextsTest {
    private static final Pattern TEXT = Pattern.compile("\"(?:[^\"\\\\\\n]|\\\\.)*\"");
    private static final Pattern KEY =
            Pattern.compile("(?<![a-z.-])weft\\.(?:[a-z0-9-]+\\.)*[a-z0-9-]*[a-z0-9]|\\bWEFT_[A-Z0-9_]+[A-Z0-9]");
    /** Names of files and properties that are no options, and what rules of the kit set to see it refused. */
    private static final Set<String> NO_KEYS =
            Set.of("weft.conf", "weft.apply", "weft.no-such-option", "weft.transfer.dedline");
    /** Metrics have names of the same form. */
    private static final Set<String> METRICS =
            Arrays.stream(Metric.values()).map(Metric::metricName).collect(Collectors.toSet());

    /** So have the attributes of a span, all in one file. */
    private static final String SPANS = TransferSpan.class.getSimpleName() + ".java";

    /** Test harnesses read their own properties, and {@code weft options} is not about them. */
    private static final Pattern HARNESS = Pattern.compile("weft\\.(test|tck|trial|bench)(\\..*)?");

    @Test
    void everyKeyThatATextNamesExists() throws IOException {
        Set<String> known = known();
        Map<String, Set<String>> unknown = new TreeMap<>();
        for (Path source : sources()) {
            Matcher texts = TEXT.matcher(Files.readString(source));
            while (texts.find()) {
                Matcher keys = KEY.matcher(texts.group());
                while (keys.find()) {
                    String key = keys.group();
                    if (!NO_KEYS.contains(key)
                            && METRICS.stream().noneMatch(m -> m.startsWith(key))
                            && !HARNESS.matcher(key).matches()
                            && known.stream().noneMatch(k -> k.equals(key) || isPrefix(key, k))) {
                        unknown.computeIfAbsent(key, k -> new TreeSet<>())
                                .add(source.getFileName().toString());
                    }
                }
            }
        }
        assertThat(unknown).as("keys that texts name and no option has").isEmpty();
    }

    private static boolean isPrefix(String key, String known) {
        return known.startsWith(key + ".") || known.startsWith(key + "_");
    }

    private static Set<String> known() {
        return Installation.load(Discovery.ofApplication(), ConfigurationSources.none(Path.of("target")), List.of())
                .options()
                .options()
                .stream()
                .flatMap(option -> Stream.of(option.key(), option.environmentName()))
                .collect(Collectors.toSet());
    }

    private static List<Path> sources() throws IOException {
        try (Stream<Path> modules = Files.list(Path.of(".."))) {
            List<Path> roots = modules.map(m -> m.resolve("src/main/java"))
                    .filter(Files::isDirectory)
                    .toList();
            List<Path> all = new ArrayList<>();
            for (Path root : roots) {
                try (Stream<Path> files = Files.walk(root)) {
                    files.filter(f -> f.toString().endsWith(".java") && !f.endsWith(SPANS))
                            .forEach(all::add);
                }
            }
            assertThat(all).as("source files").hasSizeGreaterThan(100);
            return all;
        }
    }
}
