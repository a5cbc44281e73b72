package io.weft.ops;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.weft.telemetry.Metric;
import io.weft.telemetry.MetricKind;
import io.weft.telemetry.MetricSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Weft's metrics as meters of a Micrometer registry, under the names of the catalogue. Meters appear when their value is first told; a
 * registry that publishes by itself reads values at most a second old.
 *
 * <p>Safe from any thread. One object binds to one registry.
 *
 * @since 0.1
 */
public final class WeftMeters implements MeterBinder {
    private static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(1);
    /** Far beyond what bounded labels can give; a defect must not fill the memory. */
    private static final int MOST_METERS = 10_000;

    private final MetricSource source;
    private final Map<Key, AtomicLong> values = new ConcurrentHashMap<>();
    private final AtomicLong readAt = new AtomicLong(System.nanoTime() - FRESH_NANOS);
    private volatile @Nullable MeterRegistry registry;

    private record Key(Metric metric, List<String> labels) {}

    /**
     * Makes a binder.
     *
     * @param source what to read
     */
    public WeftMeters(MetricSource source) {
        this.source = source;
    }

    @Override
    public void bindTo(MeterRegistry to) {
        registry = to;
        refresh();
    }

    /** Reads all values now, and makes meters for those that are new. */
    public void refresh() {
        MeterRegistry to = registry;
        if (to == null) {
            throw new IllegalStateException("bind to a registry first");
        }
        readAt.set(System.nanoTime());
        source.read((metric, value, labels) -> take(to, new Key(metric, List.of(labels)), value));
    }

    private void take(MeterRegistry to, Key key, long value) {
        AtomicLong known = values.get(key);
        if (known != null) {
            known.set(value);
        } else if (values.size() < MOST_METERS) {
            AtomicLong fresh = new AtomicLong(value);
            if (values.putIfAbsent(key, fresh) == null) {
                register(to, key, fresh);
            }
        }
    }

    private void register(MeterRegistry to, Key key, AtomicLong value) {
        Metric metric = key.metric();
        List<Tag> tags = new ArrayList<>();
        for (int i = 0; i < key.labels().size(); i++) {
            tags.add(Tag.of(metric.labels().get(i), key.labels().get(i)));
        }
        String unit = metric.unit().equals("By") ? "bytes" : null;
        if (metric.kind() == MetricKind.COUNTER) {
            FunctionCounter.builder(metric.metricName(), value, this::current)
                    .tags(tags)
                    .baseUnit(unit)
                    .description(metric.meaning())
                    .register(to);
        } else {
            Gauge.builder(metric.metricName(), value, this::current)
                    .tags(tags)
                    .baseUnit(unit)
                    .description(metric.meaning())
                    .register(to);
        }
    }

    private double current(AtomicLong value) {
        long last = readAt.get();
        long now = System.nanoTime();
        if (now - last > FRESH_NANOS && readAt.compareAndSet(last, now)) {
            refresh();
        }
        return value.get();
    }
}
