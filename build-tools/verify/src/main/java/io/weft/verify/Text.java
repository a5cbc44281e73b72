package io.weft.verify;

import java.time.Duration;
import java.util.Locale;

/** How times are shown. */
final class Text {

    private Text() {}

    static String time(Duration time) {
        if (time.toMinutes() >= 1) {
            return time.toMinutes() + " min " + time.toSecondsPart() + " s";
        }
        return String.format(Locale.ROOT, "%.1f s", time.toMillis() / 1000.0);
    }

    static String indent(String text, String by) {
        return by + text.strip().replace("\n", "\n" + by);
    }
}
