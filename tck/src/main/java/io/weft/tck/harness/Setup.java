package io.weft.tck.harness;

import io.weft.spi.BackendProvider;
import io.weft.spi.EngineClock;
import io.weft.testkit.faults.FaultPlan;
import io.weft.testkit.faults.FaultyProvider;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** What the engines of a case are opened with. Set before the first is opened; confined to the test's thread. */
public final class Setup {
    private final Run run;
    private final SplittableRandom random;
    private final Map<String, String> options = new LinkedHashMap<>();
    private boolean checked = true;
    private EngineClock clock = EngineClock.SYSTEM;
    private @Nullable UnaryOperator<BackendProvider> decorator;

    Setup(Run run, SplittableRandom random) {
        this.run = run;
        this.random = random;
    }

    /**
     * Sets an option of both engines, before they are opened.
     *
     * @param key a whole key
     * @param value its value
     * @return this
     */
    public Setup with(String key, String value) {
        options.put(key, value);
        return this;
    }

    /**
     * Sets a duration of both engines, before they are opened; scaled like all waiting times.
     *
     * @param key a whole key
     * @param time for a quick machine
     * @return this
     */
    public Setup with(String key, Duration time) {
        return with(key, run.clocks().scaled(time).toMillis() + "ms");
    }

    /**
     * Makes peers notice soon when another is gone, before engines are opened.
     *
     * @return this
     */
    public Setup withQuickLiveness() {
        return with("weft.heartbeat.interval", Duration.ofMillis(100))
                .with("weft.heartbeat.suspect", Duration.ofMillis(400))
                .with("weft.heartbeat.lost", Duration.ofMillis(1200));
    }

    /**
     * Leaves the backend without the wrapper that checks it, for rules about allocation and leaks.
     *
     * @return this
     */
    public Setup unchecked() {
        checked = false;
        return this;
    }

    /**
     * Puts something around the initiator's backend, before it is opened.
     *
     * @param around makes the backend that the engine gets from the one under test
     * @return this
     */
    public Setup decorate(UnaryOperator<BackendProvider> around) {
        decorator = around;
        return this;
    }

    /**
     * Gives the initiator another clock, before it is opened.
     *
     * @param other a monotonic clock
     * @return this
     */
    public Setup clock(EngineClock other) {
        clock = other;
        return this;
    }

    /**
     * Puts the fault decorator around the initiator's backend, before it is opened.
     *
     * @param plan what to inject at first
     * @return the decorator
     */
    public FaultyProvider faults(FaultPlan plan) {
        FaultyProvider faults = new FaultyProvider(run.subject().provider(), random.nextLong(), plan);
        decorate(sound -> faults);
        return faults;
    }

    /**
     * An engine's spec with the options of the case.
     *
     * @param name engine name
     * @return the spec
     */
    public EngineSpec spec(String name) {
        EngineSpec spec = EngineSpec.named(name).with(options);
        return checked ? spec : spec.unchecked();
    }

    EngineTarget openInitiator(Sides sides) {
        return sides.openHere(spec("initiator"), Optional.ofNullable(decorator), clock);
    }
}
