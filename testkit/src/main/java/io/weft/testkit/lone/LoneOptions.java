package io.weft.testkit.lone;

import io.weft.spi.OptionSpec;
import io.weft.spi.OptionValues;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Option values from specs and a map, without validation beyond the type; core's own values come from its configuration.
 * Immutable.
 */
public final class LoneOptions implements OptionValues {
    private final Map<String, OptionSpec> specs = new HashMap<>();
    private final Map<String, String> given;

    /**
     * Takes defaults from the specs.
     *
     * @param specs what the provider declares
     * @param given values by key
     * @throws IllegalArgumentException for a key that is not declared
     */
    public LoneOptions(List<OptionSpec> specs, Map<String, String> given) {
        specs.forEach(spec -> this.specs.put(spec.key(), spec));
        this.given = Map.copyOf(given);
        for (String key : given.keySet()) {
            if (!this.specs.containsKey(key)) {
                throw new IllegalArgumentException(
                        "option " + key + " is not declared; declared are " + this.specs.keySet());
            }
        }
    }

    private String text(String key, OptionSpec.Type... types) {
        OptionSpec spec = specs.get(key);
        if (spec == null || !Arrays.asList(types).contains(spec.type())) {
            throw new IllegalArgumentException("option " + key + " asked for as " + Arrays.toString(types)
                    + ", declared as " + (spec == null ? "nothing" : spec.type()));
        }
        return given.getOrDefault(key, spec.defaultValue());
    }

    @Override
    public String string(String key) {
        return text(key, OptionSpec.Type.STRING, OptionSpec.Type.CHOICE);
    }

    @Override
    public long integer(String key) {
        return Long.parseLong(text(key, OptionSpec.Type.INTEGER));
    }

    @Override
    public boolean bool(String key) {
        return Boolean.parseBoolean(text(key, OptionSpec.Type.BOOLEAN));
    }

    @Override
    public long nanos(String key) {
        return scaled(
                text(key, OptionSpec.Type.DURATION),
                Map.of(
                        "ns",
                        1L,
                        "us",
                        1_000L,
                        "ms",
                        1_000_000L,
                        "s",
                        1_000_000_000L,
                        "m",
                        60_000_000_000L,
                        "h",
                        3_600_000_000_000L));
    }

    @Override
    public long bytes(String key) {
        return scaled(
                text(key, OptionSpec.Type.BYTES),
                Map.of("", 1L, "B", 1L, "KiB", 1L << 10, "MiB", 1L << 20, "GiB", 1L << 30));
    }

    private static long scaled(String text, Map<String, Long> units) {
        String number = text.replaceAll("[^0-9]", "");
        String unit = text.substring(number.length()).trim();
        if (number.isEmpty() || !units.containsKey(unit)) {
            throw new IllegalArgumentException("'" + text + "' must be a whole number with one of " + units.keySet());
        }
        return Math.multiplyExact(Long.parseLong(number), units.get(unit));
    }

    @Override
    public List<String> list(String key) {
        return Arrays.stream(text(key, OptionSpec.Type.LIST).split(","))
                .map(String::trim)
                .filter(item -> !item.isEmpty())
                .toList();
    }

    @Override
    public String origin(String key) {
        return given.containsKey(key) ? "test" : "default";
    }
}
