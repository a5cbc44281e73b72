package io.weft.replay.report;

import java.util.Locale;

/** Small helpers for text that goes into a page. */
final class Html {
    private Html() {}

    static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }

    static String bytes(double bytes) {
        String[] units = {"B", "kB", "MB", "GB", "TB"};
        int unit = 0;
        double value = bytes;
        while (value >= 1000 && unit < units.length - 1) {
            value /= 1000;
            unit++;
        }
        return number(value) + " " + units[unit];
    }

    static String micros(double micros) {
        if (micros < 1_000) {
            return number(micros) + " µs";
        }
        return micros < 1e6 ? number(micros / 1e3) + " ms" : number(micros / 1e6) + " s";
    }

    /** Three digits that matter at most, without zeros at the end. */
    static String number(double value) {
        int decimals = value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
        String text = String.format(Locale.ROOT, "%." + decimals + "f", value);
        return text.contains(".") ? text.replaceAll("\\.?0+$", "") : text;
    }

    static String count(long number) {
        return String.format(Locale.ROOT, "%,d", number).replace(',', '\u202f');
    }
}
