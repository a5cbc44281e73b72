package io.weft.testkit;

import io.weft.spi.Backend;
import io.weft.spi.BackendContext;
import io.weft.spi.BackendProvider;

/**
 * Wraps a provider so that both sides of the SPI are checked: core gives valid, sorted, merged and bounded work, calls nothing
 * after close, holds no lock and connects one link per peer at a time; the backend completes every accepted token exactly once and
 * keeps nothing that was only lent. Breaches are collected; call {@link #assertClean} at the end of a test.
 *
 * <p>Safe from any thread. One wrapper may serve several engines. Allocates on every post, so it is for tests only.
 */
public final class AssertingProvider extends ForwardingProvider {
    private final Violations violations = new Violations();
    private final boolean trustBackend;

    private AssertingProvider(BackendProvider delegate, boolean trustBackend) {
        super(delegate);
        this.trustBackend = trustBackend;
    }

    /**
     * Checks both sides.
     *
     * @param delegate the provider to wrap
     * @return the wrapper
     */
    public static AssertingProvider of(BackendProvider delegate) {
        return new AssertingProvider(delegate, false);
    }

    /**
     * Checks core only, over a backend that breaks its own promises on purpose.
     *
     * @param delegate the provider to wrap
     * @return the wrapper
     */
    public static AssertingProvider ofCore(BackendProvider delegate) {
        return new AssertingProvider(delegate, true);
    }

    /**
     * What was found.
     *
     * @return the live collection
     */
    public Violations violations() {
        return violations;
    }

    /**
     * Throws if either side broke a promise.
     *
     * @throws AssertionError listing the breaches
     */
    public void assertClean() {
        violations.assertClean();
    }

    void core(String what) {
        violations.add(Violations.Side.CORE, name() + ": " + what);
    }

    void backend(String what) {
        if (!trustBackend) {
            violations.add(Violations.Side.BACKEND, name() + ": " + what);
        }
    }

    @Override
    public Backend open(BackendContext context) {
        PendingOperations pending = new PendingOperations(this, context.completions());
        return new AssertingBackend(this, super.open(new ContextWithSink(context, pending)), context.clock(), pending);
    }
}
