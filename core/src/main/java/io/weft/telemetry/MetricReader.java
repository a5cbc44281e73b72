package io.weft.telemetry;

/**
 * Takes values while a {@link MetricSource} is read.
 *
 * @since 0.1
 */
@FunctionalInterface
public interface MetricReader {
    /**
     * Takes one value.
     *
     * @param metric what it is a value of
     * @param value the value
     * @param labels values of the metric's labels, in their order
     */
    void value(Metric metric, long value, String... labels);
}
