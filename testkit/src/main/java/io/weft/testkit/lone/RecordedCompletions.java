package io.weft.testkit.lone;

import io.weft.spi.CompletionSink;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Keeps every completion and lets a test wait for one. Safe from any thread. */
public final class RecordedCompletions implements CompletionSink {
    /**
     * One end.
     *
     * @param token token of the operation
     * @param code 0 for success, else an error number
     * @param nativeCode native code
     */
    public record Completion(long token, int code, long nativeCode) {}

    private final Map<Long, List<Completion>> byToken = new HashMap<>();

    /** Starts empty. */
    public RecordedCompletions() {}

    @Override
    public void complete(long[] tokens, int[] codes, long[] nativeCodes, int count) {
        for (int i = 0; i < count; i++) {
            complete(tokens[i], codes[i], nativeCodes[i]);
        }
    }

    @Override
    public synchronized void complete(long token, int code, long nativeCode) {
        byToken.computeIfAbsent(token, t -> new ArrayList<>()).add(new Completion(token, code, nativeCode));
        notifyAll();
    }

    /**
     * What has been reported of a token so far.
     *
     * @param token the token
     * @return its completions, of which there should be at most one
     */
    public synchronized List<Completion> of(long token) {
        return List.copyOf(byToken.getOrDefault(token, List.of()));
    }

    /**
     * Waits for the first completion of a token.
     *
     * @param token the token
     * @param patience how long
     * @return the completion
     * @throws AssertionError if none came in time
     * @throws InterruptedException if interrupted
     */
    public synchronized Completion await(long token, Duration patience) throws InterruptedException {
        long deadline = System.nanoTime() + patience.toNanos();
        while (!byToken.containsKey(token)) {
            long left = deadline - System.nanoTime();
            if (left <= 0) {
                throw new AssertionError("token " + token + " was not completed within " + patience);
            }
            wait(Math.max(1, left / 1_000_000));
        }
        return byToken.get(token).getFirst();
    }
}
