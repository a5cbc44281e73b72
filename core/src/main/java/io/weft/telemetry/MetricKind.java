package io.weft.telemetry;

/**
 * How a metric's values relate over time.
 *
 * @since 0.1
 */
public enum MetricKind {
    /** Only goes up while its source lives. */
    COUNTER,
    /** Goes up and down. */
    GAUGE
}
