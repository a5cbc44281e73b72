package io.weft.engine.internal.backend;

import io.weft.engine.internal.concurrent.Mail;
import io.weft.engine.internal.concurrent.Turn;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A recycled operation. Its token is the slot's index and a generation that grows with each post, so that a late or second
 * completion finds nobody. Armed by the turn that posts; completed by any thread, once; then mailed back to the turn.
 */
public abstract class Slot extends Mail {
    private static final VarHandle WORD;
    private static final int IDLE = 0;
    private static final int POSTED = 1;
    private static final int COMPLETED = 2;
    private static final int STATE_BITS = 2;
    private static final int STATE_MASK = 3;

    static {
        try {
            WORD = MethodHandles.lookup().findVarHandle(Slot.class, "word", long.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    private final int index;
    /** Generation, shifted, and state. */
    private volatile long word;

    private int code;
    private long nativeCode;

    /**
     * Makes an idle slot.
     *
     * @param index its place in the table
     */
    protected Slot(int index) {
        this.index = index;
    }

    /**
     * Who handles the completion.
     *
     * @return the turn that posted
     */
    protected abstract Turn turn();

    /** Gets ready for a post: from now on a completion may come. In the turn. */
    public final void arm() {
        long generation = (word >>> STATE_BITS) + 1 & 0xFFFF_FFFFL;
        word = generation << STATE_BITS | POSTED;
    }

    /**
     * Takes {@link #arm} back: the post was refused, or the backend never completed what it accepted. In the turn.
     *
     * @return false if a completion came before
     */
    public final boolean disarm() {
        long now = word;
        return (now & STATE_MASK) == POSTED && WORD.compareAndSet(this, now, now & ~(long) STATE_MASK | IDLE);
    }

    /**
     * Whether a completion is still to come.
     *
     * @return true between {@link #arm} and the completion
     */
    public final boolean isPosted() {
        return (word & STATE_MASK) == POSTED;
    }

    /**
     * Names the present post.
     *
     * @return generation and index
     */
    public final long token() {
        return word >>> STATE_BITS << Integer.SIZE | index;
    }

    final boolean complete(int generation, int completionCode, long completionNative) {
        long expected = Integer.toUnsignedLong(generation) << STATE_BITS | POSTED;
        if (!WORD.compareAndSet(this, expected, expected ^ POSTED ^ COMPLETED)) {
            return false;
        }
        code = completionCode;
        nativeCode = completionNative;
        return true;
    }

    /**
     * How the last post ended. In the turn.
     *
     * @return 0 or an {@link io.weft.api.ErrorCode} number
     */
    public final int code() {
        return code;
    }

    /**
     * The native code of the last post. In the turn.
     *
     * @return 0 for none
     */
    public final long nativeCode() {
        return nativeCode;
    }
}
