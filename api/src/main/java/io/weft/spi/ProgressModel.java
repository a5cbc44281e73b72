package io.weft.spi;

/**
 * Who drives a backend.
 *
 * @since 0.1
 */
public enum ProgressModel {
    /** The backend has its own threads, made by the context's thread factory. */
    OWN_THREADS,
    /** Core's threads call {@link ProgressSource#progress} and block in {@link ProgressSource#await}. */
    POLLABLE,
    /** Core's threads call {@link ProgressSource#progress} and back off by themselves; there is nothing to block on. */
    POLL_ONLY
}
