package io.weft.tck.report;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Properties;

/** What to check first when a rule fails: by rule, else by topic. */
public final class Hints {
    private static final Properties HINTS = load();

    private Hints() {}

    private static Properties load() {
        Properties hints = new Properties();
        try (InputStream in = Hints.class.getResourceAsStream("hints.properties")) {
            hints.load(Objects.requireNonNull(in, "hints.properties is missing in the kit's jar"));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
        return hints;
    }

    /**
     * Looks hints up.
     *
     * @param rule a rule's id
     * @return sentences, most likely cause first
     */
    public static List<String> of(String rule) {
        String topic = rule.substring(0, rule.indexOf('-'));
        String text = HINTS.getProperty(rule, HINTS.getProperty(topic, ""));
        return Arrays.stream(text.split("\\|"))
                .map(String::trim)
                .filter(s -> !s.isEmpty())
                .toList();
    }
}
