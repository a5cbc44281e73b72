package io.weft.config;

import java.util.Objects;

/**
 * One thing wrong with a configuration (rule CFG-1).
 *
 * <p>Immutable; safe from any thread.
 *
 * @param key the key or name as it was written
 * @param origin where it was written
 * @param text value, what is wrong with it, what is allowed, the nearest valid name; never a secret
 */
public record Problem(String key, Origin origin, String text) {
    /** Checks for null. */
    public Problem {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(origin, "origin");
        Objects.requireNonNull(text, "text");
    }

    @Override
    public String toString() {
        return (key.isEmpty() ? "an empty key" : Printable.shortened(key)) + " (" + origin + "): "
                + Printable.escaped(text);
    }
}
