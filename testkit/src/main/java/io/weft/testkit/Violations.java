package io.weft.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Broken promises, collected instead of thrown, since whoever broke one is seldom the thread that runs the test. Safe from
 * any thread.
 */
public final class Violations {
    private static final int KEPT = 100;

    private final List<Throwable> kept = new ArrayList<>();
    private long count;

    /** Starts empty. */
    public Violations() {}

    /** Which side broke its promise. */
    public enum Side {
        /** Core, towards the backend. */
        CORE,
        /** The backend, towards core. */
        BACKEND
    }

    /**
     * Records one.
     *
     * @param side who broke it
     * @param what what was promised and what was seen
     */
    public void add(Side side, String what) {
        AssertionError error = new AssertionError(side.name().toLowerCase(Locale.ROOT) + ": " + what);
        synchronized (kept) {
            count++;
            if (kept.size() < KEPT) {
                kept.add(error);
            }
        }
    }

    /**
     * The texts recorded so far, at most the first hundred.
     *
     * @return a copy; each text begins with {@code core: } or {@code backend: }
     */
    public List<String> texts() {
        synchronized (kept) {
            return kept.stream().map(Throwable::getMessage).toList();
        }
    }

    /**
     * Throws if any promise was broken, with the stack of each breach as suppressed.
     *
     * @throws AssertionError naming the first breaches and the number of all
     */
    public void assertClean() {
        synchronized (kept) {
            if (count == 0) {
                return;
            }
            StringBuilder text = new StringBuilder(count + " broken promises between core and backend:");
            kept.stream().limit(10).forEach(e -> text.append("\n  ").append(e.getMessage()));
            AssertionError all = new AssertionError(text.toString());
            kept.forEach(all::addSuppressed);
            throw all;
        }
    }
}
