package io.weft.replay.trace;

import java.util.Arrays;
import java.util.List;

/**
 * Requests in order of arrival.
 *
 * @param source file name, or how it was made
 * @param requests at least one
 */
public record Trace(String source, List<TraceRequest> requests) {
    /** Tokens of one hashed block, as the format fixes it. */
    public static final int BLOCK_TOKENS = 512;

    /** Hashes of a trace are numbered from 0, far below. */
    private static final int ROUND_SHIFT = 40;

    /** Copies the list and refuses an empty one. */
    public Trace {
        requests = List.copyOf(requests);
        if (requests.isEmpty()) {
            throw new IllegalArgumentException("trace " + source + " has no request");
        }
    }

    /**
     * The first requests.
     *
     * @param count at least 1; more than there are means all
     * @return a trace of the same source
     */
    public Trace first(int count) {
        return new Trace(source, requests.subList(0, Math.min(count, requests.size())));
    }

    /**
     * The same requests for another round: prefixes are equal within a round as before, never between rounds.
     *
     * @param round 0 for the trace itself
     * @return a trace of the same source
     */
    public Trace round(int round) {
        return round == 0
                ? this
                : new Trace(
                        source,
                        requests.stream()
                                .map(r -> new TraceRequest(
                                        r.timestampMillis(),
                                        r.inputTokens(),
                                        r.outputTokens(),
                                        Arrays.stream(r.blockHashes())
                                                .map(hash -> hash + ((long) round << ROUND_SHIFT))
                                                .toArray()))
                                .toList());
    }

    /**
     * Blocks of the longest prompt.
     *
     * @return a count, at least 1
     */
    public int mostBlocks() {
        return requests.stream().mapToInt(r -> r.blockHashes().length).max().orElse(1);
    }
}
