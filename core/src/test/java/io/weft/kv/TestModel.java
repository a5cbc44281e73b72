package io.weft.kv;

import io.weft.kv.plan.HeadShare;
import java.util.List;

/**
 * A small model whose every byte is a function of logical coordinates, so that any rank's memory is computable.
 *
 * @param layers layers
 * @param heads KV heads
 * @param headBytes bytes of one head of one token
 * @param pageSize tokens per page
 * @param pages pages per buffer
 * @param mla one latent buffer per layer
 * @param auxLens bytes of a row per aux buffer
 * @param slots aux rows
 */
record TestModel(
        int layers, int heads, int headBytes, int pageSize, int pages, boolean mla, List<Integer> auxLens, int slots) {
    static final TestModel SMALL = new TestModel(2, 8, 32, 4, 24, false, List.of(64, 128, 64), 6);

    TestModel asMla() {
        return new TestModel(layers, 1, headBytes, pageSize, pages, true, auxLens, slots);
    }

    TestModel withHeads(int count) {
        return new TestModel(layers, count, headBytes, pageSize, pages, mla, auxLens, slots);
    }

    TestModel withLayers(int count) {
        return new TestModel(count, heads, headBytes, pageSize, pages, mla, auxLens, slots);
    }

    HeadShare share(int tpSize, int tpRank) {
        return mla ? new HeadShare(0, 1, tpSize) : HeadShare.of("test", heads, tpSize, tpRank);
    }

    int firstLayer(int stage, int stages) {
        return layers / stages * stage + Math.min(stage, layers % stages);
    }

    /** Never 0, so that an untouched byte shows. */
    byte kv(int kind, int layer, int page, int token, int head, int b) {
        return mix(kind, layer, page, token, head, b);
    }

    byte aux(int buffer, int row, int b) {
        return mix(100, buffer, row, 0, 0, b);
    }

    private static byte mix(int... coordinates) {
        int h = 17;
        for (int c : coordinates) {
            h = h * 0x01000193 ^ c * 0x9E3779B1;
        }
        h ^= h >>> 15;
        return (byte) (h * 0x2C1B3C6D >>> 24 | 1);
    }
}
