package io.weft.engine.internal.control.socket;

import io.weft.api.ErrorCode;
import io.weft.api.WeftException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/** Requests without an answer yet, bounded, each with a deadline. Futures complete on the executor. Safe from any thread. */
final class PendingRequests {
    private record Waiting(CompletableFuture<byte[]> future, String what, long deadlineNanos) {}

    private final Executor executor;
    private final String peer;
    private final int max;
    private final Map<Long, Waiting> waiting = new HashMap<>();
    private long lastId;
    private long earliest = Long.MAX_VALUE;
    private @Nullable WeftException over;

    PendingRequests(Executor executor, String peer, int max) {
        this.executor = executor;
        this.peer = peer;
        this.max = max;
    }

    /** Sends a request that got an id; false if it could not be queued. */
    interface Send {
        boolean send(long id, long budgetNanos);
    }

    /** Ids rise in the order in which the requests are sent. */
    synchronized CompletableFuture<byte[]> start(String what, long deadlineNanos, long now, Send send) {
        long budget = deadlineNanos - now;
        if (over != null) {
            return CompletableFuture.failedFuture(over);
        }
        if (budget <= 0) {
            return CompletableFuture.failedFuture(deadlinePassed(what));
        }
        if (waiting.size() >= max) {
            return CompletableFuture.failedFuture(exhausted(what, max + " requests already wait for its answer"));
        }
        CompletableFuture<byte[]> future = new CompletableFuture<>();
        long id = ++lastId;
        boolean sent = false;
        waiting.put(id, new Waiting(future, what, deadlineNanos));
        try {
            // Under the lock, so that ids rise on the wire too.
            sent = send.send(id, budget);
        } finally {
            if (!sent) {
                waiting.remove(id);
            }
        }
        if (!sent) {
            return CompletableFuture.failedFuture(exhausted(what, "it does not read what already waits for it"));
        }
        if (waiting.size() <= 1 || deadlineNanos - earliest < 0) {
            earliest = deadlineNanos;
        }
        return future;
    }

    /**
     * Takes an answer. One that comes after its deadline is dropped.
     *
     * @throws ProtocolException if nothing like it was ever asked
     */
    void succeed(long id, byte[] value) {
        Waiting w = take(id);
        if (w != null) {
            complete(() -> w.future.complete(value));
        }
    }

    /**
     * Takes a refusal.
     *
     * @throws ProtocolException if nothing like it was ever asked
     */
    void fail(long id, int code, String text) {
        Waiting w = take(id);
        if (w != null) {
            WeftException refused = new WeftException(
                    ErrorCode.ofNumber(code),
                    w.what + ": peer " + peer + " answered " + ErrorCode.ofNumber(code) + ": " + text);
            complete(() -> w.future.completeExceptionally(refused));
        }
    }

    /** Ends what is due; returns the next deadline, {@code Long.MAX_VALUE} if nothing waits. */
    synchronized long expire(long now) {
        if (waiting.isEmpty()) {
            return Long.MAX_VALUE;
        }
        if (earliest - now <= 0) {
            waiting.values().removeIf(w -> {
                boolean due = w.deadlineNanos - now <= 0;
                if (due) {
                    complete(() -> w.future.completeExceptionally(deadlinePassed(w.what)));
                }
                return due;
            });
            earliest = waiting.values().stream()
                    .mapToLong(Waiting::deadlineNanos)
                    .reduce((a, b) -> a - b < 0 ? a : b)
                    .orElse(Long.MAX_VALUE);
        }
        return waiting.isEmpty() ? Long.MAX_VALUE : earliest;
    }

    /** Fails all, now and from now on. */
    synchronized void end(String why) {
        if (over == null) {
            over = new WeftException(ErrorCode.PEER_LOST, "the control session with " + peer + " is over: " + why);
            WeftException lost = over;
            waiting.values()
                    .forEach(w -> complete(() -> w.future.completeExceptionally(
                            new WeftException(ErrorCode.PEER_LOST, w.what + ": " + lost.getMessage(), lost))));
            waiting.clear();
        }
    }

    private void complete(Runnable completion) {
        try {
            executor.execute(completion);
        } catch (RejectedExecutionException engineClosed) {
            completion.run();
        }
    }

    private synchronized @Nullable Waiting take(long id) {
        if (id <= 0 || id > lastId) {
            throw new ProtocolException("answer to request " + id + ", which was never asked");
        }
        return waiting.remove(id);
    }

    private WeftException deadlinePassed(String what) {
        return new WeftException(
                ErrorCode.DEADLINE_EXCEEDED, what + ": peer " + peer + " did not answer before the deadline");
    }

    private WeftException exhausted(String what, String found) {
        return new WeftException(ErrorCode.RESOURCE_EXHAUSTED, what + ": peer " + peer + ": " + found + "; try later");
    }
}
