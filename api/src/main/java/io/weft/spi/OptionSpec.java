package io.weft.spi;

import java.util.List;
import java.util.Objects;

/**
 * One option as data, from which documentation, {@code weft options}, environment names and validation are made.
 *
 * <p>Immutable; safe from any thread.
 *
 * @since 0.1
 */
public final class OptionSpec {
    /**
     * What an option's value is.
     *
     * @since 0.1
     */
    public enum Type {
        /** Any text. */
        STRING,
        /** A whole number in 64 bits. */
        INTEGER,
        /** {@code true} or {@code false}. */
        BOOLEAN,
        /** A number with {@code ns}, {@code us}, {@code ms}, {@code s}, {@code m} or {@code h}. */
        DURATION,
        /** A number of bytes, with {@code B}, {@code KiB}, {@code MiB} or {@code GiB}. */
        BYTES,
        /** One of {@link OptionSpec#choices()}. */
        CHOICE,
        /** Texts separated by commas. */
        LIST
    }

    private final String key;
    private final Type type;
    private final String defaultValue;
    private final String text;
    private final long min;
    private final long max;
    private final List<String> choices;
    private final List<String> aliases;
    private final boolean secret;

    private OptionSpec(
            String key,
            Type type,
            String defaultValue,
            String text,
            long min,
            long max,
            List<String> choices,
            List<String> aliases,
            boolean secret) {
        this.key = Objects.requireNonNull(key, "key");
        this.type = Objects.requireNonNull(type, "type");
        this.defaultValue = Objects.requireNonNull(defaultValue, "defaultValue");
        this.text = Objects.requireNonNull(text, "text");
        this.min = min;
        this.max = max;
        this.choices = List.copyOf(choices);
        this.aliases = List.copyOf(aliases);
        this.secret = secret;
    }

    /**
     * An option of a type without a range.
     *
     * @param key lower-case words joined by {@code -} or {@code .}, relative to the component's prefix
     * @param type the type
     * @param defaultValue written as a deployer would write it; empty means "not set"
     * @param text one or two sentences: what it does and when to change it
     * @return the spec
     */
    public static OptionSpec of(String key, Type type, String defaultValue, String text) {
        return new OptionSpec(
                key, type, defaultValue, text, Long.MIN_VALUE, Long.MAX_VALUE, List.of(), List.of(), false);
    }

    /**
     * A whole number.
     *
     * @param key the key
     * @param defaultValue the default
     * @param min smallest allowed value
     * @param max largest allowed value
     * @param text what it does
     * @return the spec
     */
    public static OptionSpec integer(String key, long defaultValue, long min, long max, String text) {
        return of(key, Type.INTEGER, Long.toString(defaultValue), text).withRange(min, max);
    }

    /**
     * One of several words.
     *
     * @param key the key
     * @param defaultValue the default, one of the choices
     * @param choices the allowed words
     * @param text what it does
     * @return the spec
     */
    public static OptionSpec choice(String key, String defaultValue, List<String> choices, String text) {
        return new OptionSpec(
                key, Type.CHOICE, defaultValue, text, Long.MIN_VALUE, Long.MAX_VALUE, choices, List.of(), false);
    }

    /**
     * Sets the range.
     *
     * @param smallest in the unit of the type: plain, nanoseconds or bytes
     * @param largest in the same unit
     * @return a copy
     */
    public OptionSpec withRange(long smallest, long largest) {
        return new OptionSpec(key, type, defaultValue, text, smallest, largest, choices, aliases, secret);
    }

    /**
     * Adds environment variables of other systems that set this option. Their values are plain numbers in the other
     * system's unit: a DURATION is in milliseconds if the name ends in {@code _MS}, microseconds for {@code _US}, else
     * seconds; BYTES are in MiB if it ends in {@code _MB}, else bytes. A BOOLEAN may be true, 1, yes, y, on or their
     * opposites. A value of 0 or less for a DURATION whose range excludes it would switch a deadline off: the default stays
     * and a warning tells.
     *
     * @param names such as {@code MORI_IO_QP_PER_TRANSFER}
     * @return a copy
     */
    public OptionSpec withAliases(String... names) {
        return new OptionSpec(key, type, defaultValue, text, min, max, choices, List.of(names), secret);
    }

    /**
     * Marks the value as never to be shown (rule SEC-4).
     *
     * @return a copy
     */
    public OptionSpec asSecret() {
        return new OptionSpec(key, type, defaultValue, text, min, max, choices, aliases, true);
    }

    /**
     * The key.
     *
     * @return the key relative to the component's prefix
     */
    public String key() {
        return key;
    }

    /**
     * The type.
     *
     * @return the type
     */
    public Type type() {
        return type;
    }

    /**
     * The default as text.
     *
     * @return the default, empty for "not set"
     */
    public String defaultValue() {
        return defaultValue;
    }

    /**
     * What it does.
     *
     * @return one or two sentences
     */
    public String text() {
        return text;
    }

    /**
     * Smallest value.
     *
     * @return in the unit of the type; {@link Long#MIN_VALUE} for none
     */
    public long min() {
        return min;
    }

    /**
     * Largest value.
     *
     * @return in the unit of the type; {@link Long#MAX_VALUE} for none
     */
    public long max() {
        return max;
    }

    /**
     * The allowed words.
     *
     * @return the words of a CHOICE, else an empty list
     */
    public List<String> choices() {
        return choices;
    }

    /**
     * Foreign environment names.
     *
     * @return names, may be empty
     */
    public List<String> aliases() {
        return aliases;
    }

    /**
     * Whether the value is secret.
     *
     * @return true if it must never be shown
     */
    public boolean isSecret() {
        return secret;
    }
}
