package io.weft.ops;

import io.weft.engine.EngineTelemetry;
import io.weft.telemetry.Check;
import io.weft.telemetry.MetricReader;
import io.weft.telemetry.MetricSource;
import io.weft.telemetry.RoomView;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What an operations endpoint shows. Set up by one thread, then only read.
 *
 * @since 0.1
 */
public final class OpsSources {
    private final List<MetricSource> metrics = new ArrayList<>();
    private final List<Supplier<List<Check>>> alive = new ArrayList<>();
    private final List<Supplier<Check>> ready = new ArrayList<>();
    private @Nullable EngineTelemetry engine;
    private IntFunction<List<RoomView>> rooms = most -> List.of();
    private @Nullable Supplier<String> page;

    /** Makes a set that shows nothing. */
    public OpsSources() {}

    /**
     * Shows metrics.
     *
     * @param source read at each scrape
     * @return this
     */
    public OpsSources metrics(MetricSource source) {
        metrics.add(source);
        return this;
    }

    /**
     * Shows an engine: its metrics, its picture, and whether it lives.
     *
     * @param telemetry of the engine
     * @return this
     */
    public OpsSources engine(EngineTelemetry telemetry) {
        engine = telemetry;
        return aliveWhen(telemetry::alive).metrics(telemetry.metrics());
    }

    /**
     * Shows rooms.
     *
     * @param view gives at most so many
     * @return this
     */
    public OpsSources rooms(IntFunction<List<RoomView>> view) {
        rooms = view;
        return this;
    }

    /**
     * Threads without which the process does nothing any more.
     *
     * @param checks asked at each look at health; must be bounded
     * @return this
     */
    public OpsSources aliveWhen(Supplier<List<Check>> checks) {
        alive.add(checks);
        return this;
    }

    /**
     * Something without which no work should be sent here.
     *
     * @param check asked at each look at readiness; must be bounded
     * @return this
     */
    public OpsSources readyWhen(Supplier<Check> check) {
        ready.add(check);
        return this;
    }

    /**
     * A page for people at {@code /}.
     *
     * @param html makes it
     * @return this
     */
    public OpsSources page(Supplier<String> html) {
        page = html;
        return this;
    }

    void read(MetricReader reader) {
        metrics.forEach(source -> source.read(reader));
    }

    @Nullable
    EngineTelemetry engine() {
        return engine;
    }

    List<RoomView> rooms(int most) {
        return rooms.apply(most);
    }

    @Nullable
    Supplier<String> page() {
        return page;
    }

    List<Check> alive() {
        return alive.stream().flatMap(each -> each.get().stream()).toList();
    }

    List<Check> ready() {
        return ready.stream().map(Supplier::get).toList();
    }
}
