package io.weft.replay.trace;

/**
 * One request of a trace.
 *
 * @param timestampMillis arrival, counted from the trace's start
 * @param inputTokens prompt length
 * @param outputTokens answer length
 * @param blockHashes one hash for each 512-token block of the prompt, the last one possibly short; equal hashes at the
 *     start of two prompts mean an equal prefix
 */
public record TraceRequest(long timestampMillis, int inputTokens, int outputTokens, long[] blockHashes) {}
