package io.weft.kv.internal.prefill;

import io.weft.kv.KvChunk;
import io.weft.kv.plan.CpShare;
import io.weft.kv.plan.Range;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Counts a room's pages and queues its chunks. A chunk too many, too long or missing is found here (rule KV-8). Guarded by the
 * room.
 */
final class ChunkLedger {
    /** How many context-parallel ranks share the pages, 1 if this rank sends all. */
    private final int sharers;

    private final int sharer;
    private final Deque<Entry> queue = new ArrayDeque<>();
    private int total = -1;
    private int auxRow = -1;
    private int position;
    private boolean lastAccepted;

    /** A queued chunk cut down to this rank's share. */
    record Entry(KvChunk chunk, int[] pages, Range positions) {}

    ChunkLedger(int sharers, int sharer) {
        this.sharers = sharers;
        this.sharer = sharer;
    }

    /** Says what the room consists of; null if that is right, else what is wrong. */
    @Nullable
    String init(int pages, int row) {
        if (pages >= 0 && position > pages) {
            return position + " pages were sent before the room was said to have " + pages;
        }
        total = pages;
        auxRow = row;
        return null;
    }

    /** Queues a chunk; null if that is right, else what is wrong. */
    @Nullable
    String accept(KvChunk chunk) {
        int count = chunk.pages().length;
        if (lastAccepted) {
            return "a chunk of " + count + " pages after the last one";
        }
        if (sharers > 1 && total < 0) {
            return "the number of pages must be known before the first chunk when all CP ranks send";
        }
        int end = position + count;
        if (total >= 0 && end > total) {
            return "pages " + position + " to " + end + " are more than the " + total + " of the room";
        }
        if (total >= 0 && chunk.last() && end != total) {
            return "the last chunk ends at page " + end + " of " + total + ": chunks were lost";
        }
        queue.add(entry(chunk, new Range(position, end)));
        position = end;
        lastAccepted = chunk.last();
        return null;
    }

    private Entry entry(KvChunk chunk, Range positions) {
        if (sharers == 1) {
            return new Entry(chunk, chunk.pages(), positions);
        }
        Range part = CpShare.of(total, sharers, sharer).within(positions);
        int[] pages = Arrays.copyOfRange(chunk.pages(), part.from() - positions.from(), part.to() - positions.from());
        return new Entry(chunk, pages, part);
    }

    @Nullable
    Entry next() {
        return queue.poll();
    }

    boolean isEmpty() {
        return queue.isEmpty();
    }

    boolean isComplete() {
        return lastAccepted && queue.isEmpty();
    }

    void clear() {
        queue.clear();
    }

    /** Whether position equals the known total, which is how the original recognises the last chunk. */
    boolean wouldComplete(int pages) {
        return total >= 0 && position + pages == total;
    }

    int auxRow() {
        return auxRow;
    }

    /** Pages accepted so far, of all sharers. */
    int accepted() {
        return position;
    }

    int total() {
        return total;
    }
}
