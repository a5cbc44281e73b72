package io.weft.config;

import java.util.Objects;

/**
 * The effective value of an option.
 *
 * <p>Immutable; safe from any thread.
 *
 * @param option the option
 * @param value {@code String}, {@code Long}, {@code Boolean} or {@code List<String>}; durations in nanoseconds, sizes in bytes
 * @param origin where the value came from
 */
public record Setting(KnownOption option, Object value, Origin origin) {
    /** Checks for null. */
    public Setting {
        Objects.requireNonNull(option, "option");
        Objects.requireNonNull(value, "value");
        Objects.requireNonNull(origin, "origin");
    }

    /**
     * The value as a deployer would write it; a secret is never shown (rule SEC-4).
     *
     * @return the text, empty if not set
     */
    public String shown() {
        if (option.spec().isSecret()) {
            return value.equals("") ? "" : "(set, not shown)";
        }
        return OptionText.show(option.spec(), value);
    }

    @Override
    public String toString() {
        return option.key() + " = " + shown() + " (" + origin + ")";
    }
}
