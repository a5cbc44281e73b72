package io.weft.engine;

/**
 * The version of the wire between Weft engines (rule VER-1): engines of one major speak the lower of their minors; another
 * major is refused.
 *
 * @since 0.1
 */
public final class WireVersion {
    /** Changes when engines of both versions cannot speak with each other. */
    public static final int MAJOR = 1;
    /** Grows when something is added. */
    public static final int MINOR = 0;

    private WireVersion() {}
}
