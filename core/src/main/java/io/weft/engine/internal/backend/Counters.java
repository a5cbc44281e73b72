package io.weft.engine.internal.backend;

import io.weft.spi.Metrics;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.function.ObjLongConsumer;

/** Counters and gauges by name. Safe from any thread. */
public final class Counters implements Metrics {
    private final Map<String, LongAdder> counters = new ConcurrentHashMap<>();
    private final Map<String, LongSupplier> gauges = new ConcurrentHashMap<>();

    /** Makes an empty set. */
    public Counters() {}

    @Override
    public Counter counter(String name) {
        return counters.computeIfAbsent(name, absent -> new LongAdder())::add;
    }

    @Override
    public void gauge(String name, LongSupplier value) {
        gauges.put(name, value);
    }

    /**
     * Reads counters and gauges apart.
     *
     * @param eachCounter takes name and sum
     * @param eachGauge takes name and value
     */
    public void read(ObjLongConsumer<String> eachCounter, ObjLongConsumer<String> eachGauge) {
        counters.forEach((name, counter) -> eachCounter.accept(name, counter.sum()));
        gauges.forEach((name, gauge) -> eachGauge.accept(name, gauge.getAsLong()));
    }

    /**
     * Reads everything.
     *
     * @return values by name, sorted
     */
    public Map<String, Long> snapshot() {
        Map<String, Long> all = new TreeMap<>();
        counters.forEach((name, counter) -> all.put(name, counter.sum()));
        gauges.forEach((name, gauge) -> all.put(name, gauge.getAsLong()));
        return all;
    }
}
