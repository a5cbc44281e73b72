package io.weft.backend.tcp;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/**
 * What the next call to a socket sends: staged bytes and pieces of registered memory, in order. Confined to its owner.
 *
 * <p>Several chunks go in one call, since every call ends in a packet of its own and costs about as much as copying 4 KiB.
 */
final class Gather {
    static final int ENTRIES = 32;
    /** Enough to keep the kernel at it; more would only delay other connections. */
    private static final long MOST_BYTES = 1 << 20;

    private final @Nullable ByteBuffer[] buffers = new ByteBuffer[ENTRIES];
    /** Whose memory a buffer views; null for staged bytes. */
    private final @Nullable Region[] regions = new Region[ENTRIES];

    private final long[] offsets = new long[ENTRIES];
    private int first;
    private int end;
    private long pieceBytes;

    boolean isEmpty() {
        return first == end;
    }

    /** Whether no piece may be added any more; there is always a place for the staged bytes before and behind it. */
    boolean isFull() {
        return end > ENTRIES - 3 || pieceBytes >= MOST_BYTES;
    }

    boolean hasPieces() {
        return pieceBytes > 0;
    }

    /** Adds bytes of a slab, unless there are none. */
    void addStaged(SlabPool.Slab slab, int from, int to) {
        if (from < to) {
            buffers[end] = slab.view(end).limit(to).position(from);
            regions[end++] = null;
        }
    }

    /** Adds a piece of a region. */
    void addPiece(Region region, long offset, int bytes) {
        buffers[end] = region.borrow(offset, bytes);
        offsets[end] = offset;
        regions[end++] = region;
        pieceBytes += bytes;
    }

    /** Sends as much as the socket takes in one call; how many bytes. Empty afterwards if that was all. */
    long send(SocketChannel channel) throws IOException {
        for (int i = first; i < end; i++) {
            Region region = regions[i];
            if (region != null && !region.isLive()) {
                throw new IOException("the region was deregistered while a peer read from it");
            }
        }
        ByteBuffer only = end - first == 1 ? buffers[first] : null;
        long sent = only == null ? channel.write(buffers, first, end - first) : channel.write(only);
        for (ByteBuffer head = buffers[first]; head != null && !head.hasRemaining(); head = buffers[first]) {
            drop();
            if (first == end) {
                clear();
                break;
            }
        }
        return sent;
    }

    /** Lets go of everything. */
    void clear() {
        while (first < end) {
            drop();
        }
        first = 0;
        end = 0;
        pieceBytes = 0;
    }

    private void drop() {
        ByteBuffer view = buffers[first];
        Region region = regions[first];
        if (view != null && region != null) {
            region.giveBack(offsets[first], view);
        }
        buffers[first] = null;
        regions[first++] = null;
    }
}
