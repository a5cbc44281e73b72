package io.weft.engine.internal;

import io.weft.api.EngineStats;
import io.weft.api.ErrorCode;
import io.weft.api.PeerState;
import io.weft.engine.internal.backend.OpenBackend;
import io.weft.engine.internal.peer.EnginePeer;
import io.weft.engine.internal.peer.Tally;
import io.weft.telemetry.Metric;
import io.weft.telemetry.MetricReader;
import io.weft.telemetry.MetricSource;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Supplier;

/** Reads what an engine counts. */
record EngineMetrics(EngineParts parts, Supplier<EngineStats> stats) implements MetricSource {
    private static final String CONTROL = "control.";
    private static final String SESSIONS = "control.sessions";

    @Override
    public void read(MetricReader reader) {
        String engine = parts.descriptor().key();
        EngineStats now = stats.get();
        reader.value(Metric.TRANSFERS_STARTED, now.started(), engine);
        reader.value(Metric.TRANSFERS_ENDED, now.succeeded(), engine, "succeeded");
        reader.value(Metric.TRANSFERS_ENDED, now.failed(), engine, "failed");
        reader.value(Metric.TRANSFERS_ENDED, now.cancelled(), engine, "cancelled");
        reader.value(Metric.TRANSFERS_IN_FLIGHT, now.inFlight(), engine);
        reader.value(Metric.TRANSFER_BYTES, now.bytes(), engine);
        reader.value(Metric.NOTIFICATIONS_DROPPED, now.notificationsDropped(), engine);
        reader.value(Metric.MEMORY_REGISTERED, now.registeredBytes(), engine);
        readFailures(reader, engine);
        readPeers(reader, engine);
        readCounters(reader, engine);
    }

    private void readFailures(MetricReader reader, String engine) {
        Tally tally = parts.services().tally();
        reader.value(Metric.TRANSFERS_STALLED, tally.stalled(), engine);
        for (ErrorCode code : ErrorCode.values()) {
            long failed = tally.failed(code);
            if (failed > 0) {
                reader.value(Metric.TRANSFERS_FAILED, failed, engine, code.name());
            }
        }
    }

    private void readPeers(MetricReader reader, String engine) {
        Map<PeerState, Long> peers = new EnumMap<>(PeerState.class);
        for (EnginePeer peer : parts.peers().all()) {
            peers.merge(peer.state(), 1L, Long::sum);
        }
        for (PeerState state : PeerState.values()) {
            reader.value(Metric.PEERS, peers.getOrDefault(state, 0L), engine, state.name());
        }
    }

    private void readCounters(MetricReader reader, String engine) {
        parts.counters()
                .read(
                        (name, value) ->
                                reader.value(Metric.CONTROL_EVENTS, value, engine, name.substring(CONTROL.length())),
                        (name, value) -> {
                            if (name.equals(SESSIONS)) {
                                reader.value(Metric.CONTROL_SESSIONS, value, engine);
                            }
                        });
        for (OpenBackend backend : parts.services().backends()) {
            backend.counters()
                    .read(
                            (name, value) -> reader.value(Metric.BACKEND_EVENTS, value, engine, backend.name(), name),
                            (name, value) -> reader.value(Metric.BACKEND_VALUES, value, engine, backend.name(), name));
        }
    }
}
