package io.weft.cli.doctor;

import java.util.Locale;

/** Sizes for people. */
final class Sizes {
    static final long UNLIMITED = Long.MAX_VALUE;

    private Sizes() {}

    static String text(long bytes) {
        if (bytes == UNLIMITED) {
            return "unlimited";
        }
        String[] units = {"B", "KiB", "MiB", "GiB", "TiB"};
        double value = bytes;
        int unit = 0;
        while (value >= 1024 && unit < units.length - 1) {
            value /= 1024;
            unit++;
        }
        return String.format(Locale.ROOT, value == Math.rint(value) ? "%.0f %s" : "%.1f %s", value, units[unit]);
    }
}
