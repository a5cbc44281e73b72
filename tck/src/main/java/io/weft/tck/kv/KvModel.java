package io.weft.tck.kv;

import io.weft.kv.plan.HeadShare;
import java.util.List;

/**
 * A small model, every byte of which is a function of logical coordinates, so that any rank's memory can be computed.
 *
 * @param layers layers
 * @param heads KV heads
 * @param headBytes bytes of one head of one token
 * @param pageSize tokens per page
 * @param pages pages per buffer
 * @param mla whether a layer has one latent buffer that is the same on all ranks
 * @param window whether ranks hold a state component beside the pages, one item per page
 */
public record KvModel(int layers, int heads, int headBytes, int pageSize, int pages, boolean mla, boolean window) {
    /** Two layers of eight heads. */
    public static final KvModel SMALL = new KvModel(2, 8, 32, 4, 24, false, false);

    /** Bytes of a row, of each aux buffer. */
    static final List<Integer> AUX = List.of(64, 128);

    /** Rows of each aux buffer. */
    static final int ROWS = 6;

    /** Bytes of an item of the state component. */
    static final int WINDOW_BYTES = 24;

    /**
     * The same with latent buffers.
     *
     * @return a copy
     */
    public KvModel asMla() {
        return new KvModel(layers, 1, headBytes, pageSize, pages, true, window);
    }

    /**
     * The same with state beside the pages.
     *
     * @return a copy
     */
    public KvModel withWindow() {
        return new KvModel(layers, heads, headBytes, pageSize, pages, mla, true);
    }

    /**
     * The same with other heads.
     *
     * @param count KV heads
     * @return a copy
     */
    public KvModel withHeads(int count) {
        return new KvModel(layers, count, headBytes, pageSize, pages, mla, window);
    }

    /**
     * The same with other pages.
     *
     * @param tokens tokens per page
     * @return a copy
     */
    public KvModel withPageSize(int tokens) {
        return new KvModel(layers, heads, headBytes, tokens, pages, mla, window);
    }

    HeadShare share(int tpSize, int tpRank) {
        return mla ? new HeadShare(0, 1, tpSize) : HeadShare.of("tck", heads, tpSize, tpRank);
    }

    int firstLayer(int stage, int stages) {
        return layers / stages * stage + Math.min(stage, layers % stages);
    }

    static byte kv(int kind, int layer, int page, int token, int head, int b) {
        return mix(kind, layer, page, token, head, b);
    }

    static byte aux(int buffer, int row, int b) {
        return mix(100, buffer, row, b);
    }

    static byte state(int item, int b) {
        return mix(200, item, b);
    }

    private static byte mix(int... coordinates) {
        int hash = 17;
        for (int c : coordinates) {
            hash = hash * 0x01000193 ^ c * 0x9E3779B1;
        }
        hash ^= hash >>> 15;
        return (byte) (hash * 0x2C1B3C6D >>> 24);
    }
}
