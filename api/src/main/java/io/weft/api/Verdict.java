package io.weft.api;

/**
 * What selection decided about a candidate (rule CFG-2). Later releases may append values.
 *
 * @since 0.1
 */
public enum Verdict {
    /** Carries the transfers. */
    CHOSEN,
    /** Usable, but another one comes first in the stated order. */
    OUTRANKED,
    /** Switched off by a configuration key. */
    DISABLED,
    /** Built for another SPI level. */
    INCOMPATIBLE,
    /** The provider class could not be loaded or constructed. */
    LOAD_FAILED,
    /** Another provider has the same name. */
    DUPLICATE_NAME,
    /** The probe said no, threw or hung. */
    PROBE_FAILED,
    /** Opening the backend failed. */
    OPEN_FAILED,
    /** A required capability is missing. */
    MISSING_CAPABILITY,
    /** The peer does not offer it. */
    PEER_LACKS_IT,
    /** Failed recently and is left alone for a while. */
    QUARANTINED,
    /** Configured, but no provider of that name is on the path. */
    ABSENT
}
