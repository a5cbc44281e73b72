package io.weft.engine.internal.concurrent;

/** Whether it pays to look again and again before a thread gives up its processor. */
public final class Spinning {
    private static final boolean ALONE = Runtime.getRuntime().availableProcessors() == 1;

    private Spinning() {}

    /**
     * How often to look: with a single processor what is waited for cannot come about while this thread has it.
     *
     * @param times how often where somebody else can run meanwhile
     * @return that, or 0
     */
    public static int atMost(int times) {
        return ALONE ? 0 : times;
    }
}
