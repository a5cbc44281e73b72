package io.weft.api;

/**
 * What a caller may sensibly do after a failure. Every {@link ErrorCode} has exactly one.
 *
 * <p>Immutable; safe from any thread.
 *
 * @since 0.1
 */
public enum RetryClass {
    /** The same call fails again: the arguments, the build or the peer's software must change. */
    NEVER,
    /** The same call may succeed later, when resources are free or a peer is reachable again. */
    LATER,
    /** Retry after the link to the peer was rebuilt; the engine rebuilds it by itself on the next transfer. */
    RECONNECT,
    /** Fetch the peer's current descriptors first: the peer restarted or the region is gone. */
    REFRESH_DESCRIPTOR,
    /** Another backend or device may carry the transfer. */
    OTHER_PATH
}
