package io.weft.cli;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ParameterException;

/** Byte counts as people write them: {@code 64}, {@code 64B}, {@code 4KiB}, {@code 1MiB}, {@code 2GiB}. */
final class ByteSizes {
    private static final Pattern SIZE = Pattern.compile("(\\d{1,12})(B|KiB|MiB|GiB)?");
    private static final String[] UNITS = {"B", "KiB", "MiB", "GiB"};
    private static final int STEP = 4;

    private ByteSizes() {}

    static long one(String text, Function<String, ParameterException> badUsage) {
        Matcher matcher = SIZE.matcher(text.strip());
        if (!matcher.matches()) {
            throw badUsage.apply("'" + text + "' is not a size such as 64, 4KiB or 1MiB");
        }
        int unit = matcher.group(2) == null ? 0 : Arrays.asList(UNITS).indexOf(matcher.group(2));
        long bytes = Long.parseLong(matcher.group(1)) << (10 * unit);
        if (bytes < 1) {
            throw badUsage.apply("size '" + text + "' must be at least 1");
        }
        return bytes;
    }

    /** Sizes separated by commas; {@code A..B} stands for A, 4A, 16A and so on up to B, and B. */
    static List<Long> list(String text, Function<String, ParameterException> badUsage) {
        List<Long> sizes = new ArrayList<>();
        for (String part : text.split(",")) {
            int dots = part.indexOf("..");
            if (dots < 0) {
                sizes.add(one(part, badUsage));
                continue;
            }
            long last = one(part.substring(dots + 2), badUsage);
            for (long size = one(part.substring(0, dots), badUsage); size < last; size *= STEP) {
                sizes.add(size);
            }
            sizes.add(last);
        }
        return sizes;
    }

    static String text(long bytes) {
        int unit = 0;
        long value = bytes;
        while (unit < UNITS.length - 1 && value >= 1024 && value % 1024 == 0) {
            value /= 1024;
            unit++;
        }
        return value + UNITS[unit];
    }
}
