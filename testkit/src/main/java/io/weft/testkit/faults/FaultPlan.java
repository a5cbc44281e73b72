package io.weft.testkit.faults;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;

/**
 * How often each fault happens. {@code with...} methods return copies; rates are probabilities from 0 to 1, rolled per operation.
 * Immutable.
 */
public final class FaultPlan {
    /** No faults. */
    public static final FaultPlan NONE = new FaultPlan(new EnumMap<>(Fault.class), Duration.ofMillis(2));

    /** Everything a little, so that most operations go well and every fault is met soon. */
    public static final FaultPlan MIXED = NONE.with(Fault.DELAY_POST, 0.05)
            .with(Fault.DELAY_COMPLETION, 0.05)
            .with(Fault.REORDER, 0.05)
            .with(Fault.DUPLICATE, 0.05)
            .with(Fault.FAIL_BEFORE, 0.01)
            .with(Fault.FAIL_AFTER, 0.01)
            .with(Fault.REFUSE, 0.05)
            .with(Fault.LINK_DOWN, 0.0005);

    private final Map<Fault, Double> rates;
    private final Duration longestDelay;

    private FaultPlan(Map<Fault, Double> rates, Duration longestDelay) {
        this.rates = rates;
        this.longestDelay = longestDelay;
    }

    /**
     * Sets a rate.
     *
     * @param fault the fault
     * @param rate from 0 (never) to 1 (always)
     * @return a copy
     */
    public FaultPlan with(Fault fault, double rate) {
        if (!(rate >= 0 && rate <= 1)) {
            throw new IllegalArgumentException("rate of " + fault + " is " + rate + ", must be from 0 to 1");
        }
        EnumMap<Fault, Double> changed = new EnumMap<>(Fault.class);
        changed.putAll(rates);
        changed.put(fault, rate);
        return new FaultPlan(changed, longestDelay);
    }

    /**
     * Bounds delays; each one is rolled between nothing and this.
     *
     * @param longest a positive duration
     * @return a copy
     */
    public FaultPlan withLongestDelay(Duration longest) {
        return new FaultPlan(rates, longest);
    }

    /**
     * The rate of a fault.
     *
     * @param fault the fault
     * @return from 0 to 1
     */
    public double rate(Fault fault) {
        return rates.getOrDefault(fault, 0.0);
    }

    /**
     * The longest delay.
     *
     * @return a duration
     */
    public Duration longestDelay() {
        return longestDelay;
    }

    @Override
    public String toString() {
        return "FaultPlan" + rates;
    }
}
