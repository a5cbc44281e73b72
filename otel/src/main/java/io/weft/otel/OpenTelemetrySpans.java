package io.weft.otel;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.weft.telemetry.SpanSink;
import io.weft.telemetry.TransferSpan;
import java.util.Map;

/**
 * Makes a span of kind CLIENT for each transfer of a traced room, below the span that came with the room; whether it is sampled is that
 * span's decision and the SDK's. Give it to {@link io.weft.kv.PrefillManager#spans}.
 *
 * <p>Threading: safe from any thread. It blocks as long as the SDK's span processors do, so use one that hands spans on.
 *
 * @since 0.1
 */
public final class OpenTelemetrySpans implements SpanSink {
    // Offsets of a traceparent, version 00: W3C Trace Context, section 3.2.
    private static final int TRACE_ID = 3;
    private static final int SPAN_ID = 36;
    private static final int FLAGS = 53;

    private final Tracer tracer;

    /**
     * A sink.
     *
     * @param tracer makes the spans, as from {@code openTelemetry.getTracer("io.weft")}
     */
    public OpenTelemetrySpans(Tracer tracer) {
        this.tracer = tracer;
    }

    @Override
    public void add(TransferSpan span) {
        SpanBuilder builder = tracer.spanBuilder(TransferSpan.NAME)
                .setSpanKind(SpanKind.CLIENT)
                .setParent(Context.root().with(Span.wrap(parent(span.traceparent()))))
                .setStartTimestamp(span.start());
        for (Map.Entry<String, Object> attribute : span.attributes().entrySet()) {
            switch (attribute.getValue()) {
                case Long number -> builder.setAttribute(attribute.getKey(), number.longValue());
                default ->
                    builder.setAttribute(
                            attribute.getKey(), attribute.getValue().toString());
            }
        }
        Span made = builder.startSpan();
        if (!span.failure().isEmpty()) {
            made.setStatus(StatusCode.ERROR, span.failure());
        }
        made.end(span.end());
    }

    private static SpanContext parent(String traceparent) {
        return SpanContext.createFromRemoteParent(
                traceparent.substring(TRACE_ID, SPAN_ID - 1),
                traceparent.substring(SPAN_ID, FLAGS - 1),
                TraceFlags.fromHex(traceparent, FLAGS),
                TraceState.getDefault());
    }
}
