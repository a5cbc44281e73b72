package io.weft.spi;

/**
 * The level of this SPI: same major is compatible, whatever the minor.
 *
 * <p>Immutable; safe from any thread.
 *
 * @param major changes when a backend must change
 * @param minor grows when something is added
 * @since 0.1
 */
public record SpiLevel(int major, int minor) {
    /** Major of the SPI this class was compiled with; a compile-time constant, so the compiler writes it into the user's class. */
    public static final int MAJOR = 0;
    /** Minor of the SPI this class was compiled with; a compile-time constant, as {@link #MAJOR}. */
    public static final int MINOR = 1;

    /**
     * The level of the SPI classes on the path now.
     *
     * @return the running level
     */
    public static SpiLevel running() {
        return new SpiLevel(MAJOR, MINOR);
    }

    /**
     * Whether a backend built for another level works with this one.
     *
     * @param built the level the backend was built for
     * @return true for the same major
     */
    public boolean accepts(SpiLevel built) {
        return major == built.major;
    }

    @Override
    public String toString() {
        return major + "." + minor;
    }
}
