package io.weft.kv;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.api.ErrorCode;
import io.weft.telemetry.TransferSpan;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The trace of a request travels with its room and comes out with the receipts of its transfers. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class TracedRoomsTest {
    private static final String TRACE = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    private static final int[] SOURCE = {1, 2};
    private static final int[] DESTINATION = {4, 5};

    private static KvReceiver receive(Cluster c, long room, String trace) {
        KvReceiver receiver = c.d().decode().receiver(TestRank.REGISTRY, room);
        if (!trace.isEmpty()) {
            receiver.traceparent(trace);
        }
        receiver.init(KvReceiver.ANY_DP_RANK);
        receiver.sendMetadata(DESTINATION, 2, null, 0);
        return receiver;
    }

    private static void send(Cluster c, long room) {
        KvSender sender = c.p().prefill().sender(room);
        sender.init(2, 1);
        sender.send(SOURCE);
    }

    @Test
    void aTracedRoomsTransfersAreSpansWithTheReceiptAndOthersAreNone() throws InterruptedException {
        try (Cluster c = Cluster.oneToOne()) {
            BlockingQueue<TransferSpan> spans = new LinkedBlockingQueue<>();
            c.p().prefill().spans(spans::add);
            KvReceiver untraced = receive(c, 6, "");
            send(c, 6);
            Cluster.await(untraced, KvPoll.SUCCESS);
            untraced.clear();
            KvReceiver receiver = receive(c, 7, TRACE);
            send(c, 7);
            Cluster.await(receiver, KvPoll.SUCCESS);

            TransferSpan span = spans.poll(20, TimeUnit.SECONDS);
            assertThat(span).isNotNull();
            assertThat(span.traceparent()).isEqualTo(TRACE);
            assertThat(span.failure()).isEmpty();
            assertThat(span.start()).isBeforeOrEqualTo(span.end());
            assertThat(span.attributes())
                    .containsEntry("weft.room", "7")
                    .containsEntry("weft.peer", c.d().engine.descriptor().key())
                    .containsEntry("weft.state", "SUCCEEDED")
                    .containsKeys("weft.backend", "weft.bytes", "weft.queue.ns", "weft.wire.ns");
        }
    }

    @Test
    void aSinkThatThrowsDoesNotHarmTheRoomAndAFailureIsTold() throws InterruptedException {
        try (Cluster c = Cluster.oneToOne()) {
            BlockingQueue<TransferSpan> spans = new LinkedBlockingQueue<>();
            c.p().prefill().spans(span -> {
                spans.add(span);
                throw new IllegalStateException("a sink that does not work");
            });
            c.p().engine.failNextWrite(ErrorCode.FABRIC, "injected transport error");
            KvReceiver receiver = receive(c, 7, TRACE);
            send(c, 7);
            Cluster.await(receiver, KvPoll.FAILED);
            TransferSpan span = spans.poll(20, TimeUnit.SECONDS);
            assertThat(span).isNotNull();
            assertThat(span.failure()).contains("injected transport error");
            assertThat(span.attributes()).containsEntry("weft.code", "FABRIC");
        }
    }

    @Test
    void whatIsNoTraceparentIsRefused() {
        try (Cluster c = Cluster.oneToOne()) {
            KvReceiver receiver = c.d().decode().receiver(TestRank.REGISTRY, 7);
            assertThatThrownBy(() -> receiver.traceparent("00-xyz"))
                    .hasMessageContaining("trace room 7: '00-xyz' is no traceparent");
        }
    }
}
