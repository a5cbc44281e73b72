package io.weft.engine.internal.concurrent;

import org.jspecify.annotations.Nullable;

/**
 * Something for a {@link Turn} to do. In at most one inbox at a time, which is why sending one costs no allocation: recycled
 * objects (completed operations) and objects that exist anyway (transfers) are mails themselves.
 */
public abstract class Mail {
    /** The mail sent before this one; owned by the inbox while this is in it. */
    @Nullable
    Mail next;

    /** Makes a mail. */
    protected Mail() {}

    /** Called in the turn, in the order of sending. */
    protected abstract void deliver();

    /**
     * A mail for something that happens seldom.
     *
     * @param action what to do in the turn
     * @return a new mail
     */
    public static Mail of(Runnable action) {
        return new Mail() {
            @Override
            protected void deliver() {
                action.run();
            }
        };
    }
}
