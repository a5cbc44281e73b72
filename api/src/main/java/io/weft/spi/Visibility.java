package io.weft.spi;

/**
 * When the target can see written bytes (rule WR-9).
 *
 * @since 0.1
 */
public enum Visibility {
    /** SUCCEEDED implies visible to any load on the target by whoever learns of it later. */
    COMPLETION,
    /** The backend flushes before it reports success. */
    FLUSH,
    /** The target's engine flushes before it tells anyone. */
    TARGET_FLUSH
}
