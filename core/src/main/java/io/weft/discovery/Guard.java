package io.weft.discovery;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Runs foreign code so that nothing it does stops the caller: on a daemon thread of its own, with a deadline. */
final class Guard {
    /** What became of a call. */
    sealed interface Outcome<T> {
        /** It returned. */
        record Returned<T>(T value) implements Outcome<T> {}

        /** It threw or did not return; the text says which and where. */
        record Failed<T>(String evidence) implements Outcome<T> {}
    }

    private record Running<T>(Thread thread, FutureTask<T> task) {}

    private Guard() {}

    /**
     * Starts all calls at once and waits for each until the common deadline. An error of the virtual machine is the caller's
     * too (rule ERR-3), except a stack overflow, which ends with the call's own thread.
     */
    static <T> List<Outcome<T>> callAll(
            String doing, Duration timeout, List<Callable<T>> calls, List<ClassLoader> loaders) {
        long deadline = System.nanoTime() + timeout.toNanos();
        List<Running<T>> running = new ArrayList<>();
        for (int i = 0; i < calls.size(); i++) {
            FutureTask<T> task = new FutureTask<>(calls.get(i));
            Thread thread =
                    Thread.ofPlatform().daemon().name("weft-" + doing + "-" + i).unstarted(task);
            thread.setContextClassLoader(loaders.get(i));
            thread.start();
            running.add(new Running<>(thread, task));
        }
        return running.stream().map(r -> outcome(r, doing, timeout, deadline)).toList();
    }

    private static <T> Outcome<T> outcome(Running<T> running, String doing, Duration timeout, long deadline) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    long left = Math.max(0, deadline - System.nanoTime());
                    return new Outcome.Returned<>(running.task().get(left, TimeUnit.NANOSECONDS));
                } catch (InterruptedException e) {
                    interrupted = true; // the wait is bounded, so finish it and hand the interrupt on
                }
            }
        } catch (ExecutionException e) {
            Throwable cause = Failures.unwrap(e);
            if (cause instanceof VirtualMachineError error && !(cause instanceof StackOverflowError)) {
                throw error;
            }
            return new Outcome.Failed<>(Failures.describe(cause));
        } catch (TimeoutException e) {
            String where = Failures.frame(running.thread().getStackTrace());
            running.thread().interrupt();
            return new Outcome.Failed<>("the " + doing + " did not end within " + timeout.toMillis() + " ms"
                    + (where.isEmpty() ? "" : "; it is at " + where));
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
