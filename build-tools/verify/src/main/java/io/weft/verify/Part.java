package io.weft.verify;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One thing that is checked: a command, and where its test results lie. Read from a file {@code NN-name.part} of these
 * properties:
 *
 * <ul>
 *   <li>{@code title}: a few words for the reader
 *   <li>{@code sizes}: the sizes it belongs to, of {@code default ci full}
 *   <li>{@code budget}: what it takes at most on two cores, as {@code 90s} or {@code 5m}; after one and a half times that
 *       it is killed and has failed
 *   <li>{@code run}: the command, for bash, in the root of the tree; {@code $OUT} is an empty directory of its own
 *   <li>{@code results} (optional): globs of JUnit XML files below the root; those written meanwhile are counted. Without
 *       it the exit status counts as one test
 *   <li>{@code after} (optional): parts whose products it uses. It is not run if one of them ran and its command failed;
 *       failed tests are no such failure as long as the command went on after them
 *   <li>{@code needs} (optional): Debian packages without which it is skipped
 *   <li>{@code given} (optional): environment variables without which it is skipped, even where skips fail: only who starts
 *       the check can know their values
 *   <li>{@code wants} (optional): Debian packages without which some of its tests skip themselves
 * </ul>
 */
record Part(
        String name,
        String title,
        Set<Size> sizes,
        Duration budget,
        String run,
        List<String> results,
        List<String> after,
        List<String> needs,
        List<String> given,
        List<String> wants) {

    private static final Set<String> REQUIRED = Set.of("title", "sizes", "budget", "run");
    private static final Set<String> OPTIONAL = Set.of("results", "after", "needs", "given", "wants");

    /** All parts of a directory, in the order of their file names. */
    static List<Part> readAll(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            List<Part> parts = new ArrayList<>();
            for (Path file :
                    files.filter(f -> f.toString().endsWith(".part")).sorted().toList()) {
                parts.add(read(file));
            }
            return parts;
        }
    }

    static Part read(Path file) throws IOException {
        Properties values = new Properties();
        try (Reader reader = Files.newBufferedReader(file)) {
            values.load(reader);
        }
        Set<String> keys = values.stringPropertyNames();
        for (String key : REQUIRED) {
            if (!keys.contains(key)) {
                throw new IllegalArgumentException(file + ": '" + key + "' is missing");
            }
        }
        for (String key : keys) {
            if (!REQUIRED.contains(key) && !OPTIONAL.contains(key)) {
                throw new IllegalArgumentException(file + ": unknown key '" + key + "'");
            }
        }
        String name = file.getFileName().toString().replaceFirst("^[0-9]+-", "").replaceFirst("[.]part$", "");
        try {
            return new Part(
                    name,
                    values.getProperty("title"),
                    words(values, "sizes").stream()
                            .map(Size::of)
                            .collect(Collectors.toCollection(() -> EnumSet.noneOf(Size.class))),
                    duration(values.getProperty("budget")),
                    values.getProperty("run"),
                    words(values, "results"),
                    words(values, "after"),
                    words(values, "needs"),
                    words(values, "given"),
                    words(values, "wants"));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(file + ": " + e.getMessage(), e);
        }
    }

    /** The time after which it is killed. */
    Duration bound() {
        return withGrace(budget);
    }

    static Duration withGrace(Duration budget) {
        return budget.multipliedBy(3).dividedBy(2);
    }

    private static List<String> words(Properties values, String key) {
        return Arrays.stream(values.getProperty(key, "").trim().split("\\s+"))
                .filter(word -> !word.isEmpty())
                .toList();
    }

    private static Duration duration(String text) {
        if (!text.matches("[1-9][0-9]{0,4}[sm]")) {
            throw new IllegalArgumentException("budget '" + text + "' is not a number followed by s or m");
        }
        long number = Long.parseLong(text.substring(0, text.length() - 1));
        return text.endsWith("m") ? Duration.ofMinutes(number) : Duration.ofSeconds(number);
    }
}
