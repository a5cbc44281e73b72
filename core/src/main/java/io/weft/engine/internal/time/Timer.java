package io.weft.engine.internal.time;

import org.jspecify.annotations.Nullable;

/** Something that is to happen later, once; may be scheduled again. All fields are guarded by the wheel. */
public abstract class Timer {
    /** Not scheduled. */
    static final int NOWHERE = -1;

    @Nullable
    Timer previous;

    @Nullable
    Timer next;

    int slot = NOWHERE;
    long tick;

    /** Makes a timer that is not scheduled. */
    protected Timer() {}

    /** Called on the wheel's thread, under no lock; must be over at once. */
    protected abstract void fire();
}
