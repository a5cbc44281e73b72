package io.weft.telemetry;

/**
 * Something that measures. It is read when somebody looks, so that it costs nothing while nobody does.
 *
 * <p>Safe from any thread; must not block.
 *
 * @since 0.1
 */
@FunctionalInterface
public interface MetricSource {
    /**
     * Tells all values, each pair of metric and labels at most once.
     *
     * @param reader takes them
     */
    void read(MetricReader reader);
}
