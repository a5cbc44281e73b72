package io.weft.engine.internal.transfer;

import io.weft.api.ErrorCode;
import io.weft.api.Receipt;
import io.weft.api.Transfer;
import io.weft.api.TransferState;
import io.weft.engine.internal.concurrent.Mail;
import io.weft.engine.internal.concurrent.Spinning;
import io.weft.engine.internal.time.Durations;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * State of a transfer and who waits for it. The end is written once, by {@link #end}, and published by the volatile state
 * (rules ST-1, MM-1). Safe from any thread.
 */
public abstract class TransferStatus extends Mail implements Transfer {
    private static final VarHandle HOOKS;
    private static final int SPINS = Spinning.atMost(300);
    private static final int YIELDS = 30;
    /** Takes the place of the hooks once the transfer is terminal. */
    private static final Hook DONE = new Hook(null, null, null);

    static {
        try {
            HOOKS = MethodHandles.lookup().findVarHandle(TransferStatus.class, "hooks", Hook.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    /** A thread to wake or a callback to run, and what has to be polled for it. */
    private static final class Hook {
        private volatile @Nullable Thread thread;
        private final @Nullable Consumer<? super Transfer> callback;
        private final @Nullable AwaitedProgress progress;
        private @Nullable Hook next;

        Hook(
                @Nullable Thread thread,
                @Nullable Consumer<? super Transfer> callback,
                @Nullable AwaitedProgress progress) {
            this.thread = thread;
            this.callback = callback;
            this.progress = progress;
        }

        void follow() {
            if (progress != null) {
                progress.follow();
            }
        }

        void unfollow() {
            if (progress != null) {
                progress.unfollow();
            }
        }

        boolean isAbandoned() {
            return thread == null && callback == null;
        }
    }

    private final long id;
    private final Callbacks callbacks;
    private volatile TransferState state = TransferState.IN_PROGRESS;
    private @Nullable ErrorCode code;
    private String text = "";
    private long nativeCode;
    private volatile @Nullable Hook hooks;

    /**
     * Makes a transfer in progress.
     *
     * @param id under which the target sees it
     * @param callbacks runs users' code
     */
    protected TransferStatus(long id, Callbacks callbacks) {
        this.id = id;
        this.callbacks = callbacks;
    }

    /**
     * Makes the receipt; called only when terminal, any number of times.
     *
     * @return the receipt
     */
    protected abstract Receipt makeReceipt();

    /**
     * What makes progress on it, if whoever awaits it may.
     *
     * @return null if nobody has to poll for it
     */
    protected @Nullable AwaitedProgress progress() {
        return null;
    }

    /** Asks for the end; called at most once for each {@link #cancel} in progress. */
    protected abstract void askToCancel();

    /**
     * Ends the transfer. Called once.
     *
     * @param end the terminal state
     * @param endCode the code, null for SUCCEEDED
     * @param endText why, empty for SUCCEEDED
     * @param endNative native code
     */
    protected final void end(TransferState end, @Nullable ErrorCode endCode, String endText, long endNative) {
        code = endCode;
        text = endText;
        nativeCode = endNative;
        state = end;
        Hook hook = (Hook) HOOKS.getAndSet(this, DONE);
        while (hook != null) {
            fire(hook);
            if (hook.callback != null) {
                hook.unfollow(); // a thread does it itself
            }
            hook = hook.next;
        }
    }

    private void fire(Hook hook) {
        Consumer<? super Transfer> callback = hook.callback;
        if (callback != null) {
            callbacks.run("a callback of transfer " + id, () -> callback.accept(this));
        } else {
            LockSupport.unpark(hook.thread);
        }
    }

    /** Returns false, and keeps nothing, if the transfer is terminal. */
    private boolean add(Hook hook) {
        while (true) {
            Hook first = hooks;
            if (first == DONE) {
                return false;
            }
            // A waiter whose time was up leaves its hook; the next one takes its place, so polling does not pile them
            // up.
            hook.next = first != null && first.isAbandoned() ? first.next : first;
            if (HOOKS.compareAndSet(this, first, hook)) {
                return true;
            }
        }
    }

    @Override
    public final long id() {
        return id;
    }

    @Override
    public final TransferState state() {
        return state;
    }

    @Override
    public final Optional<ErrorCode> code() {
        return state.isTerminal() ? Optional.ofNullable(code) : Optional.empty();
    }

    @Override
    public final String text() {
        return state.isTerminal() ? text : "";
    }

    @Override
    public final long nativeCode() {
        return state.isTerminal() ? nativeCode : 0;
    }

    @Override
    public final Optional<Receipt> receipt() {
        return state.isTerminal() ? Optional.of(makeReceipt()) : Optional.empty();
    }

    @Override
    public final TransferState await(Duration timeout) throws InterruptedException {
        TransferState now = state;
        if (now.isTerminal() || timeout.isZero() || timeout.isNegative()) {
            return now;
        }
        return awaitNanos(Durations.nanos(timeout));
    }

    private TransferState awaitNanos(long nanos) throws InterruptedException {
        long deadline = System.nanoTime() + nanos;
        AwaitedProgress progress = Thread.currentThread().isVirtual() ? null : progress();
        for (int i = 0; i < SPINS + YIELDS; i++) {
            if (state.isTerminal()) {
                return state;
            }
            if (progress != null && progress.drive(this, deadline)) {
                break; // over, or it takes long
            }
            if (i < SPINS) {
                Thread.onSpinWait();
                continue;
            }
            if (System.nanoTime() - deadline >= 0) {
                return state;
            }
            checkInterrupt();
            Thread.yield();
        }
        return state.isTerminal() ? state : park(deadline);
    }

    private TransferState park(long deadline) throws InterruptedException {
        Hook hook = new Hook(Thread.currentThread(), null, progress());
        if (!add(hook)) {
            return state;
        }
        hook.follow();
        try {
            while (!state.isTerminal()) {
                checkInterrupt();
                long left = deadline - System.nanoTime();
                if (left <= 0) {
                    break;
                }
                LockSupport.parkNanos(this, left);
            }
            return state;
        } finally {
            hook.thread = null;
            hook.unfollow();
        }
    }

    private void checkInterrupt() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException("interrupted while awaiting transfer " + id + ", which goes on");
        }
    }

    @Override
    public final void onCompletion(Consumer<? super Transfer> callback) {
        java.util.Objects.requireNonNull(callback, "callback");
        Hook hook = new Hook(null, callback, progress());
        if (add(hook)) {
            hook.follow();
        } else {
            fire(hook);
        }
    }

    @Override
    public final CompletableFuture<Transfer> toFuture() {
        CompletableFuture<Transfer> future = new CompletableFuture<>();
        onCompletion(future::complete);
        return future;
    }

    @Override
    public final void cancel() {
        if (!state.isTerminal()) {
            askToCancel();
        }
    }

    @Override
    public String toString() {
        TransferState now = state;
        return "Transfer[" + id + " " + now + (code().isEmpty() ? "" : " " + code + ": " + text) + "]";
    }
}
