package io.weft.otel;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import io.weft.telemetry.TransferSpan;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class OpenTelemetrySpansTest {
    private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
    private static final String PARENT = "00f067aa0ba902b7";
    private static final Instant START = Instant.ofEpochSecond(1_000, 5);
    private static final Instant END = Instant.ofEpochSecond(1_001, 7);

    /** Keeps what the SDK exports. */
    private static final class Kept implements SpanExporter {
        private final List<SpanData> spans = new CopyOnWriteArrayList<>();

        @Override
        public CompletableResultCode export(Collection<SpanData> exported) {
            spans.addAll(exported);
            return CompletableResultCode.ofSuccess();
        }

        @Override
        public CompletableResultCode flush() {
            return CompletableResultCode.ofSuccess();
        }

        @Override
        public CompletableResultCode shutdown() {
            return CompletableResultCode.ofSuccess();
        }
    }

    private static List<SpanData> exported(String flags, String failure) {
        Kept kept = new Kept();
        try (SdkTracerProvider sdk = SdkTracerProvider.builder()
                .addSpanProcessor(SimpleSpanProcessor.create(kept))
                .build()) {
            new OpenTelemetrySpans(sdk.get("io.weft"))
                    .add(new TransferSpan(
                            "00-" + TRACE + "-" + PARENT + "-" + flags,
                            START,
                            END,
                            failure,
                            Map.of("weft.room", "7", "weft.bytes", 4_096L)));
        }
        return kept.spans;
    }

    @Test
    void aTransferIsASpanBelowTheOneThatCameWithItsRoom() {
        SpanData span = exported("01", "").getFirst();
        assertThat(span.getName()).isEqualTo("weft.transfer");
        assertThat(span.getKind()).isEqualTo(SpanKind.CLIENT);
        assertThat(span.getTraceId()).isEqualTo(TRACE);
        assertThat(span.getParentSpanId()).isEqualTo(PARENT);
        assertThat(span.getParentSpanContext().isRemote()).isTrue();
        assertThat(span.getStartEpochNanos()).isEqualTo(1_000_000_000_005L);
        assertThat(span.getEndEpochNanos()).isEqualTo(1_001_000_000_007L);
        assertThat(span.getStatus().getStatusCode()).isEqualTo(StatusCode.UNSET);
        assertThat(span.getAttributes().get(AttributeKey.stringKey("weft.room")))
                .isEqualTo("7");
        assertThat(span.getAttributes().get(AttributeKey.longKey("weft.bytes"))).isEqualTo(4_096L);
    }

    @Test
    void aFailureIsAnErrorWithItsText() {
        SpanData span = exported("01", "PEER_LOST: it is gone").getFirst();
        assertThat(span.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
        assertThat(span.getStatus().getDescription()).isEqualTo("PEER_LOST: it is gone");
    }

    @Test
    void aTraceThatIsNotSampledStaysSo() {
        assertThat(exported("00", "")).isEmpty();
    }
}
