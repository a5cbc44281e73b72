package io.weft.spi;

/**
 * What a probe gets. Implemented by Weft only.
 *
 * @since 0.1
 */
public interface ProbeContext {
    /**
     * This backend's options.
     *
     * @return validated values
     */
    OptionValues options();

    /**
     * When the probe must be over.
     *
     * @return a value of {@link System#nanoTime()}
     */
    long deadlineNanos();
}
