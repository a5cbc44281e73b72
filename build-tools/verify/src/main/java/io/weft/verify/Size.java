package io.weft.verify;

import java.time.Duration;
import java.util.Locale;

/** How much is checked, and in what time. */
enum Size {
    DEFAULT(Duration.ofMinutes(12)),
    CI(Duration.ofMinutes(45)),
    FULL(Duration.ofHours(6));

    private final Duration budget;

    Size(Duration budget) {
        this.budget = budget;
    }

    /** What its parts may take together; over one and a half times as much is a failure. */
    Duration budget() {
        return budget;
    }

    /** The time after which it has failed. */
    Duration bound() {
        return Part.withGrace(budget);
    }

    static Size of(String name) {
        for (Size size : values()) {
            if (size.toString().equals(name)) {
                return size;
            }
        }
        throw new IllegalArgumentException("no size '" + name + "': sizes are default, ci and full");
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
