package io.weft.kv;

import io.weft.telemetry.Metric;
import io.weft.telemetry.MetricReader;
import io.weft.telemetry.MetricSource;
import java.util.Locale;
import java.util.function.Supplier;

/** Reads what a manager counts. */
record KvMetrics(String role, Supplier<KvStats> stats) implements MetricSource {
    @Override
    public void read(MetricReader reader) {
        KvStats now = stats.get();
        reader.value(Metric.ROOMS_ENDED, now.succeeded(), role, "succeeded");
        reader.value(Metric.ROOMS_ENDED, now.failed(), role, "failed");
        reader.value(Metric.ROOM_BYTES, now.bytes(), role);
        reader.value(Metric.MESSAGES_REJECTED, now.rejected(), role);
        reader.value(Metric.MESSAGES_DROPPED, now.droppedMessages(), role);
        reader.value(Metric.INDICES_DROPPED, now.droppedIndices(), role);
        for (LeaseState state : LeaseState.values()) {
            if (!state.isReleased()) {
                int held = now.leasesByState().getOrDefault(state, 0);
                reader.value(Metric.LEASES, held, role, state.name().toLowerCase(Locale.ROOT));
            }
        }
        now.tables().forEach((table, size) -> reader.value(Metric.TABLE_SIZE, size, role, table));
    }
}
