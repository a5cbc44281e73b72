package io.weft.kv.internal.prefill;

import io.weft.kv.KvChunk;
import io.weft.kv.plan.Range;
import java.util.List;

/**
 * A chunk whose turn has come.
 *
 * @param chunk the chunk
 * @param pages source pages this rank sends of it
 * @param positions their positions in the receiver's page list
 * @param totalPages pages of the room, with the last chunk only
 * @param auxRow source aux row, -1 for none; with the last chunk only
 * @param parts decode ranks to send to, without dummies
 */
record Task(KvChunk chunk, int[] pages, Range positions, int totalPages, int auxRow, List<Part> parts) {
    boolean isLast() {
        return chunk.last();
    }
}
