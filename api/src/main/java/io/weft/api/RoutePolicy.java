package io.weft.api;

/**
 * What the engine does when only a degraded or staged route to a peer exists (rule CFG-3).
 *
 * @since 0.1
 */
public enum RoutePolicy {
    /** The transfer fails with {@link ErrorCode#UNSUPPORTED}, naming the route that was refused. */
    FAIL,
    /** The route is taken, logged once per peer and counted. */
    WARN,
    /** The route is taken; the receipt tells. */
    ALLOW
}
