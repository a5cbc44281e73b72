package io.weft.tck;

import io.weft.tck.contract.Contract;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;

/**
 * What to run. Every value has a key, so that it can come from a system property, from JUnit's
 * {@code junit-platform.properties}, or from the command line.
 *
 * @param backend name of the backend under test ({@value #BACKEND})
 * @param options its options ({@value #OPTIONS}, {@code key=value} separated by commas)
 * @param memory only this memory kind on either side ({@value #MEMORY}); empty for all that the backend declares
 * @param rules ids of only these rules ({@value #RULES}, rules and topics separated by commas); empty for all
 * @param profile how much to try ({@value #PROFILE})
 * @param report directory of certificate and page ({@value #REPORT}); empty for none
 * @param exclusions file of excluded rules ({@value #EXCLUSIONS}); empty for none
 * @param seed seed of everything random ({@value #SEED})
 * @param scale factor on all waiting times, for slow machines ({@value #SCALE})
 * @param mutant name of the deliberate defect to run with ({@value #MUTANT}); empty for none
 */
public record TckConfig(
        String backend,
        Map<String, String> options,
        Optional<String> memory,
        List<String> rules,
        Profile profile,
        Optional<Path> report,
        Optional<Path> exclusions,
        long seed,
        double scale,
        Optional<String> mutant) {
    /** Key of {@link #backend}. */
    public static final String BACKEND = "weft.tck.backend";
    /** Key of {@link #options}. */
    public static final String OPTIONS = "weft.tck.options";
    /** Key of {@link #memory}. */
    public static final String MEMORY = "weft.tck.memory";
    /** Key of {@link #rules}. */
    public static final String RULES = "weft.tck.rules";
    /** Key of {@link #profile}. */
    public static final String PROFILE = "weft.tck.profile";
    /** Key of {@link #report}. */
    public static final String REPORT = "weft.tck.report";
    /** Key of {@link #exclusions}. */
    public static final String EXCLUSIONS = "weft.tck.exclusions";
    /** Key of {@link #seed}. */
    public static final String SEED = "weft.test.seed";
    /** Key of {@link #scale}. */
    public static final String SCALE = "weft.tck.scale";
    /** Key of {@link #mutant}. */
    public static final String MUTANT = "weft.tck.mutant";

    /** One for all runs of a process that name none, so that every test of a run has the same. */
    private static final long RANDOM_SEED = ThreadLocalRandom.current().nextLong();

    /** Copies the collections. */
    public TckConfig {
        options = Map.copyOf(options);
        rules = List.copyOf(rules);
    }

    /**
     * Reads the values.
     *
     * @param lookup value of a key, empty if it is not set
     * @return the configuration
     * @throws IllegalArgumentException naming key and value of what cannot be read
     */
    public static TckConfig read(Function<String, Optional<String>> lookup) {
        Function<String, Optional<String>> set =
                key -> lookup.apply(key).map(String::trim).filter(v -> !v.isEmpty());
        return new TckConfig(
                set.apply(BACKEND).orElse("mem"),
                readOptions(set.apply(OPTIONS).orElse("")),
                set.apply(MEMORY),
                set.apply(RULES).map(TckConfig::rules).orElse(List.of()),
                readProfile(set.apply(PROFILE).orElse("standard")),
                set.apply(REPORT).map(Path::of),
                set.apply(EXCLUSIONS).map(Path::of),
                set.apply(SEED).map(text -> number(SEED, text, Long::decode)).orElse(RANDOM_SEED),
                set.apply(SCALE)
                        .map(text -> number(SCALE, text, Double::valueOf))
                        .orElse(1.0),
                set.apply(MUTANT));
    }

    private static <T> T number(String key, String text, Function<String, T> parse) {
        try {
            return parse.apply(text);
        } catch (NumberFormatException notANumber) {
            throw new IllegalArgumentException(key + " is '" + text + "', must be a number", notANumber);
        }
    }

    private static List<String> rules(String text) {
        try {
            return Contract.load().select(split(text));
        } catch (IllegalArgumentException unknown) {
            throw new IllegalArgumentException(RULES + " has " + unknown.getMessage(), unknown);
        }
    }

    private static Profile readProfile(String text) {
        try {
            return Profile.valueOf(text.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException unknown) {
            throw new IllegalArgumentException(
                    PROFILE + " is '" + text + "', must be quick, standard or full", unknown);
        }
    }

    private static List<String> split(String text) {
        List<String> parts = new ArrayList<>();
        for (String part : text.split(",", -1)) {
            if (!part.isBlank()) {
                parts.add(part.trim());
            }
        }
        return parts;
    }

    private static Map<String, String> readOptions(String text) {
        Map<String, String> options = new LinkedHashMap<>();
        for (String part : split(text)) {
            int equals = part.indexOf('=');
            if (equals < 1) {
                throw new IllegalArgumentException(OPTIONS + " has '" + part + "', must be key=value");
            }
            options.put(
                    part.substring(0, equals).trim(), part.substring(equals + 1).trim());
        }
        return options;
    }

    /**
     * The same as keys and values, for JUnit or another process.
     *
     * @return every value that is set
     */
    public Map<String, String> asProperties() {
        Map<String, String> properties = new LinkedHashMap<>();
        properties.put(BACKEND, backend);
        options.forEach((key, value) -> properties.merge(OPTIONS, key + "=" + value, (a, b) -> a + "," + b));
        memory.ifPresent(value -> properties.put(MEMORY, value));
        if (!rules.isEmpty()) {
            properties.put(RULES, String.join(",", rules));
        }
        properties.put(PROFILE, profile.name().toLowerCase(Locale.ROOT));
        report.ifPresent(value -> properties.put(REPORT, value.toString()));
        exclusions.ifPresent(value -> properties.put(EXCLUSIONS, value.toString()));
        properties.put(SEED, Long.toString(seed));
        properties.put(SCALE, Double.toString(scale));
        mutant.ifPresent(value -> properties.put(MUTANT, value));
        return properties;
    }
}
