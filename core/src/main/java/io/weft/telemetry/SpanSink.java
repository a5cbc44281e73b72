package io.weft.telemetry;

/**
 * Takes the spans of traced rooms: {@code io.weft.otel} hands them to OpenTelemetry. Only transfers of rooms whose request came
 * with a trace context have one.
 *
 * <p>Threading: called by the thread that ends a transfer, so it must not block. What it throws is logged.
 *
 * @since 0.1
 */
@FunctionalInterface
public interface SpanSink {
    /** Takes nothing, as where nobody traces. */
    SpanSink NONE = span -> {};

    /**
     * A transfer ended.
     *
     * @param span what it came to
     */
    void add(TransferSpan span);
}
