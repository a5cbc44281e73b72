package io.weft.testkit.faults;

import io.weft.spi.Backend;
import io.weft.spi.BackendContext;
import io.weft.spi.BackendProvider;
import io.weft.testkit.ForwardingProvider;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Wraps a provider so that its operations meet faults, rolled from a seed. The same seed gives the same rolls; which operation meets
 * which roll also depends on how threads interleave. Safe from any thread; the plan may be changed at any time and holds for
 * operations posted afterwards.
 */
public final class FaultyProvider extends ForwardingProvider {
    /** Native code of injected failures, to tell them from real ones. */
    public static final long INJECTED = 0xFA17L;

    private final SplittableRandom random;
    private final AtomicLongArray injected = new AtomicLongArray(Fault.values().length);
    private volatile FaultPlan plan;

    /**
     * Wraps a provider.
     *
     * @param delegate the provider
     * @param seed seed of all rolls
     * @param plan what to inject at first
     */
    public FaultyProvider(BackendProvider delegate, long seed, FaultPlan plan) {
        super(delegate);
        this.random = new SplittableRandom(seed);
        this.plan = Objects.requireNonNull(plan, "plan");
    }

    /**
     * The seed of a test run: the property {@code weft.test.seed}, or a new one. Print it.
     *
     * @return the seed
     */
    public static long seed() {
        return Long.getLong("weft.test.seed", ThreadLocalRandom.current().nextLong());
    }

    /**
     * Changes what is injected from now on.
     *
     * @param next the plan
     */
    public void plan(FaultPlan next) {
        plan = Objects.requireNonNull(next, "next");
    }

    /**
     * How often a fault was injected, so that a test can see that it tested something.
     *
     * @param fault the fault
     * @return a count over all links
     */
    public long injected(Fault fault) {
        return injected.get(fault.ordinal());
    }

    boolean roll(Fault fault) {
        double rate = plan.rate(fault);
        if (rate == 0 || rate < 1 && nextDouble() >= rate) {
            return false;
        }
        injected.incrementAndGet(fault.ordinal());
        return true;
    }

    long rollDelayNanos() {
        return (long) (nextDouble() * plan.longestDelay().toNanos());
    }

    private double nextDouble() {
        synchronized (random) {
            return random.nextDouble();
        }
    }

    @Override
    public Backend open(BackendContext context) {
        return FaultyBackend.open(this, context, super::open);
    }
}
