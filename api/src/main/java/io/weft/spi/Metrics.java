package io.weft.spi;

import java.util.function.LongSupplier;

/**
 * Where a backend counts. Implemented by Weft only; safe from any thread.
 *
 * @since 0.1
 */
public interface Metrics {
    /** Counts nothing. */
    Metrics NONE = new Metrics() {
        @Override
        public Counter counter(String name) {
            return amount -> {};
        }

        @Override
        public void gauge(String name, LongSupplier value) {}
    };

    /**
     * A counter; ask once and keep it.
     *
     * @param name lower-case words joined by dots, relative to {@code weft.backend.NAME.}
     * @return the counter, the same for the same name
     */
    Counter counter(String name);

    /**
     * A value that is read when somebody looks.
     *
     * @param name as for counters
     * @param value must not block
     */
    void gauge(String name, LongSupplier value);

    /**
     * Only goes up.
     *
     * @since 0.1
     */
    @FunctionalInterface
    interface Counter {
        /**
         * Adds; allocates nothing.
         *
         * @param amount at least 0
         */
        void add(long amount);
    }
}
