package io.weft.config;

import java.util.Objects;

/**
 * Where a value came from.
 *
 * <p>Immutable; safe from any thread.
 *
 * @param layer the kind of source
 * @param text for people: {@code environment WEFT_DEADLINE}, {@code weft.conf: 12}, {@code default}
 */
public record Origin(Layer layer, String text) {
    /** The kinds of sources; an earlier one wins over a later one. */
    public enum Layer {
        /** Set by the program through the builder. */
        API,
        /** A flag of the command line. */
        FLAG,
        /** A system property {@code -Dweft.*}. */
        PROPERTY,
        /** An environment variable {@code WEFT_*}. */
        ENVIRONMENT,
        /** An environment variable of another system, {@code SGLANG_*} or {@code MORI_*}. */
        ALIAS,
        /** The configuration file. */
        FILE,
        /** Nobody set it. */
        DEFAULT
    }

    /** What an option has that nobody set. */
    static final Origin DEFAULT = new Origin(Layer.DEFAULT, "default");

    /** Checks for null. */
    public Origin {
        Objects.requireNonNull(layer, "layer");
        Objects.requireNonNull(text, "text");
    }

    @Override
    public String toString() {
        return text;
    }
}
