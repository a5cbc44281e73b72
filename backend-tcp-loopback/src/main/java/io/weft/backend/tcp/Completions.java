package io.weft.backend.tcp;

import io.weft.spi.CompletionSink;

/** Collects ends of operations and reports them in batches. Confined to one thread. */
final class Completions {
    private static final int BATCH = 64;

    private final CompletionSink sink;
    private final long[] tokens = new long[BATCH];
    private final int[] codes = new int[BATCH];
    private final long[] natives = new long[BATCH];
    private int count;

    Completions(CompletionSink sink) {
        this.sink = sink;
    }

    void add(long token, int code, long nativeCode) {
        tokens[count] = token;
        codes[count] = code;
        natives[count] = nativeCode;
        if (++count == BATCH) {
            flush();
        }
    }

    void flush() {
        if (count == 1) {
            count = 0;
            sink.complete(tokens[0], codes[0], natives[0]);
        } else if (count > 0) {
            int ready = count;
            count = 0;
            sink.complete(tokens, codes, natives, ready);
        }
    }
}
