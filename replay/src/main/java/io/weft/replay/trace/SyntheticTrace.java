package io.weft.replay.trace;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Makes up a conversation trace with the shape of the public Mooncake one: prompts of log-normal length (median 8.8
 * thousand tokens), bursts every three seconds, one block that all prompts share, and every third request going on with an
 * earlier conversation.
 */
public final class SyntheticTrace {
    /** ln of the public trace's median prompt length. */
    private static final double LOG_MEDIAN = Math.log(8_800);
    /** Fits the public trace's quartiles, 3 075 and 17 188 tokens. */
    private static final double LOG_SIGMA = 1.2;

    private static final int LONGEST_TOKENS = 121_000;
    private static final double CONTINUES = 0.35;
    private static final int BURST_MILLIS = 3_000;
    private static final int BURST_REQUESTS = 9;

    private SyntheticTrace() {}

    /**
     * Makes a trace.
     *
     * @param requests how many
     * @param seed the same seed gives the same trace
     * @return the trace
     */
    public static Trace of(int requests, long seed) {
        Random random = new Random(seed);
        List<TraceRequest> made = new ArrayList<>(requests);
        long nextHash = 1;
        for (int i = 0; i < requests; i++) {
            int tokens =
                    (int) Math.clamp(Math.exp(LOG_MEDIAN + LOG_SIGMA * random.nextGaussian()), 256, LONGEST_TOKENS);
            long[] prefix = {0};
            if (!made.isEmpty() && random.nextDouble() < CONTINUES) {
                prefix = made.get(random.nextInt(made.size())).blockHashes();
                tokens = Math.min(LONGEST_TOKENS, prefix.length * Trace.BLOCK_TOKENS + tokens / 4);
            }
            long[] blocks = new long[Math.max(1, Math.ceilDiv(tokens, Trace.BLOCK_TOKENS))];
            for (int b = 0; b < blocks.length; b++) {
                // The last block of a prompt is short, so a continued prompt does not share it.
                blocks[b] = b < Math.max(1, prefix.length - 1) ? prefix[b] : nextHash++;
            }
            long arrival = (long) (i / BURST_REQUESTS) * BURST_MILLIS;
            made.add(new TraceRequest(arrival, tokens, 1 + random.nextInt(700), blocks));
        }
        return new Trace("synthetic, seed " + seed, made);
    }
}
