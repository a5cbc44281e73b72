package io.weft.spi;

import java.util.List;

/**
 * A component's option values, already validated against its {@link OptionSpec}s. Implemented by Weft only.
 *
 * <p>Immutable; safe from any thread. Keys are relative to the component's prefix. Asking for a key that the component did
 * not declare, or by another type, is a defect and throws {@link IllegalArgumentException}.
 *
 * @since 0.1
 */
public interface OptionValues {
    /**
     * A STRING or CHOICE.
     *
     * @param key the key
     * @return the text, empty if not set
     */
    String string(String key);

    /**
     * An INTEGER.
     *
     * @param key the key
     * @return the number
     */
    long integer(String key);

    /**
     * A BOOLEAN.
     *
     * @param key the key
     * @return the value
     */
    boolean bool(String key);

    /**
     * A DURATION.
     *
     * @param key the key
     * @return nanoseconds
     */
    long nanos(String key);

    /**
     * A BYTES value.
     *
     * @param key the key
     * @return bytes
     */
    long bytes(String key);

    /**
     * A LIST.
     *
     * @param key the key
     * @return the texts, trimmed, without empty ones
     */
    List<String> list(String key);

    /**
     * Where a value came from, for error texts.
     *
     * @param key the key
     * @return such as {@code default}, {@code environment WEFT_BACKEND_TCP_LANES} or {@code weft.conf: 12}
     */
    String origin(String key);
}
