package io.weft.config;

import io.weft.spi.OptionSpec;
import io.weft.spi.OptionSpec.Type;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Turns the text of an option's value into the value and back. */
final class OptionText {
    /** Says in a few words what is wrong with a text; the caller adds key, value and origin. */
    static final class Unreadable extends Exception {
        private static final long serialVersionUID = 1L;

        Unreadable(String why) {
            super(why);
        }
    }

    private static final Map<String, Long> NANOS = units(
            "h",
            3_600_000_000_000L,
            "m",
            60_000_000_000L,
            "s",
            1_000_000_000L,
            "ms",
            1_000_000L,
            "us",
            1_000L,
            "ns",
            1L);
    private static final Map<String, Long> BYTES = units("GiB", 1L << 30, "MiB", 1L << 20, "KiB", 1L << 10, "B", 1L);
    private static final Pattern NUMBER_AND_UNIT = Pattern.compile("([-+]?[0-9]+(?:\\.[0-9]+)?)\\s*([A-Za-z]*)");
    private static final Set<String> YES = Set.of("true", "1", "yes", "y", "on");
    private static final Set<String> NO = Set.of("false", "0", "no", "n", "off");

    private OptionText() {}

    /** Reads a value written for Weft. */
    static Object read(OptionSpec spec, String text) throws Unreadable {
        String trimmed = text.trim();
        if (!spec.isSecret()) {
            refuseHidden(trimmed);
        }
        return switch (spec.type()) {
            case STRING -> spec.isSecret() ? text : trimmed;
            case INTEGER -> inRange(spec, integer(trimmed));
            case BOOLEAN -> bool(trimmed);
            case DURATION -> inRange(spec, quantity(trimmed, NANOS, "a duration", "5s"));
            case BYTES -> inRange(spec, quantity(trimmed, BYTES, "a size", "64MiB"));
            case CHOICE -> choice(spec, trimmed);
            case LIST -> list(trimmed);
        };
    }

    /** Reads the value of a foreign variable; {@link OptionSpec#withAliases} tells how units are found. */
    static Object readAlias(OptionSpec spec, String name, String text) throws Unreadable {
        String trimmed = text.trim();
        String lower = trimmed.toLowerCase(Locale.ROOT);
        return switch (spec.type()) {
            case BOOLEAN -> {
                if (!YES.contains(lower) && !NO.contains(lower)) {
                    throw new Unreadable("neither of " + YES + " nor of " + NO);
                }
                yield YES.contains(lower);
            }
            case DURATION ->
                inRange(spec, scaled(trimmed, name.endsWith("_MS") ? "ms" : name.endsWith("_US") ? "us" : "s", NANOS));
            case BYTES -> inRange(spec, scaled(trimmed, name.endsWith("_MB") ? "MiB" : "B", BYTES));
            case CHOICE -> choice(spec, lower);
            case STRING, INTEGER, LIST -> read(spec, text);
        };
    }

    /** Whether a foreign value means "no deadline", which Weft does not have. */
    static boolean switchesDeadlineOff(OptionSpec spec, String text) {
        if (spec.type() != Type.DURATION || spec.min() <= 0) {
            return false;
        }
        try {
            return new BigDecimal(text.trim()).signum() <= 0;
        } catch (NumberFormatException e) {
            return false;
        }
    }

    /** What may be written, for error texts and the reference. */
    static String allowed(OptionSpec spec) {
        return switch (spec.type()) {
            case STRING -> "any text";
            case INTEGER -> "a whole number" + range(spec);
            case BOOLEAN -> "true or false";
            case DURATION -> "a duration in ns, us, ms, s, m or h" + range(spec);
            case BYTES -> "a size in B, KiB, MiB or GiB" + range(spec);
            case CHOICE -> "one of " + String.join(", ", spec.choices());
            case LIST -> "texts separated by commas";
        };
    }

    static String show(OptionSpec spec, Object value) {
        return switch (spec.type()) {
            case STRING, CHOICE, INTEGER, BOOLEAN -> value.toString();
            case DURATION -> show((Long) value, NANOS, "0s");
            case BYTES -> show((Long) value, BYTES, "0B");
            case LIST -> String.join(",", strings(value));
        };
    }

    static List<String> strings(Object value) {
        return ((List<?>) value).stream().map(String.class::cast).toList();
    }

    private static String range(OptionSpec spec) {
        boolean bottom = spec.min() != Long.MIN_VALUE;
        boolean top = spec.max() != Long.MAX_VALUE;
        String min = bottom ? show(spec, spec.min()) : "";
        String max = top ? show(spec, spec.max()) : "";
        if (bottom && top) {
            return " from " + min + " to " + max;
        }
        return bottom ? " from " + min : top ? " up to " + max : "";
    }

    private static String show(long value, Map<String, Long> units, String zero) {
        if (value == 0) {
            return zero;
        }
        for (Map.Entry<String, Long> unit : units.entrySet()) {
            if (value % unit.getValue() == 0) {
                return value / unit.getValue() + unit.getKey();
            }
        }
        throw new AssertionError("the smallest unit divides everything");
    }

    /** They cannot be seen where the value is shown, and no file, host or backend has them in its name. */
    private static void refuseHidden(String text) throws Unreadable {
        OptionalInt hidden = text.codePoints().filter(Printable::isHidden).findFirst();
        if (hidden.isPresent()) {
            throw new Unreadable(
                    String.format("it holds the character U+%04X, which cannot be seen", hidden.getAsInt()));
        }
    }

    private static long integer(String text) throws Unreadable {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw new Unreadable("not a whole number");
        }
    }

    private static boolean bool(String text) throws Unreadable {
        return switch (text) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new Unreadable("neither true nor false");
        };
    }

    private static String choice(OptionSpec spec, String text) throws Unreadable {
        if (!spec.choices().contains(text)) {
            throw new Unreadable("not among the choices" + Nearest.suggestion(text, spec.choices()));
        }
        return text;
    }

    private static List<String> list(String text) {
        return Arrays.stream(text.split(",", -1))
                .map(String::trim)
                .filter(part -> !part.isEmpty())
                .toList();
    }

    private static long quantity(String text, Map<String, Long> units, String what, String example) throws Unreadable {
        Matcher parts = NUMBER_AND_UNIT.matcher(text);
        if (!parts.matches()) {
            throw new Unreadable("not " + what + ", write it like " + example);
        }
        String unit = parts.group(2);
        if (unit.isEmpty()) {
            throw new Unreadable("the unit is missing, write it like " + example);
        }
        if (!units.containsKey(unit)) {
            throw new Unreadable("unknown unit '" + unit + "', the units are " + String.join(", ", units.keySet()));
        }
        return scaled(parts.group(1), unit, units);
    }

    private static long scaled(String number, String unit, Map<String, Long> units) throws Unreadable {
        try {
            BigDecimal factor = BigDecimal.valueOf(units.getOrDefault(unit, 1L));
            return new BigDecimal(number).multiply(factor).longValueExact();
        } catch (NumberFormatException e) {
            throw new Unreadable("not a number");
        } catch (ArithmeticException e) {
            throw new Unreadable("too large, or a fraction of the smallest unit");
        }
    }

    private static long inRange(OptionSpec spec, long value) throws Unreadable {
        if (value < spec.min() || value > spec.max()) {
            throw new Unreadable("out of range");
        }
        return value;
    }

    private static Map<String, Long> units(Object... namesAndFactors) {
        Map<String, Long> units = new LinkedHashMap<>();
        for (int i = 0; i < namesAndFactors.length; i += 2) {
            units.put((String) namesAndFactors[i], (Long) namesAndFactors[i + 1]);
        }
        return units;
    }
}
