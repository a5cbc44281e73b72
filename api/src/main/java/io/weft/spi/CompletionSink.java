package io.weft.spi;

/**
 * Takes completions. Implemented by Weft only; safe from any thread, never blocks, never throws, allocates nothing.
 * User code does not run inside.
 *
 * @since 0.1
 */
public interface CompletionSink {
    /**
     * Reports ends of accepted operations: each token exactly once. Tokens that core no longer knows are dropped.
     * What the operation did to memory happens-before the transfer's completion.
     *
     * @param tokens tokens of accepted operations
     * @param codes 0 for success, else {@link io.weft.api.ErrorCode} numbers
     * @param nativeCodes errno, verbs status or provider errno; 0 for none; explained by {@link Backend#describeNative}
     * @param count how many entries of the arrays are valid; the arrays are the backend's again on return
     */
    void complete(long[] tokens, int[] codes, long[] nativeCodes, int count);

    /**
     * Reports one end.
     *
     * @param token token of an accepted operation
     * @param code 0 for success, else an {@link io.weft.api.ErrorCode} number
     * @param nativeCode native code, 0 for none
     */
    void complete(long token, int code, long nativeCode);
}
