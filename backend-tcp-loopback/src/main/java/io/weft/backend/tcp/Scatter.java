package io.weft.backend.tcp;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/** Where the next call to a socket puts what it receives: pieces of registered memory, in order. Confined to its owner. */
final class Scatter {
    private static final int ENTRIES = 16;

    private final @Nullable ByteBuffer[] buffers = new ByteBuffer[ENTRIES];
    private final @Nullable Region[] regions = new Region[ENTRIES];
    private final long[] offsets = new long[ENTRIES];
    private int count;

    /** Whether no piece may be added any more; there is always a place for the tail. */
    boolean isFull() {
        return count == ENTRIES - 1;
    }

    void addPiece(Region region, long offset, int bytes) {
        offsets[count] = offset;
        regions[count] = region;
        buffers[count++] = region.borrow(offset, bytes);
    }

    /**
     * Receives into the pieces, and lets go of them.
     *
     * @param tail where to put what comes behind the last piece; null if nothing behind it may be read
     * @return how many bytes came, -1 at the end of the stream
     */
    long receive(SocketChannel channel, @Nullable ByteBuffer tail) throws IOException {
        int pieces = count;
        if (tail != null) {
            buffers[count++] = tail;
        }
        try {
            return channel.read(buffers, 0, count);
        } finally {
            for (int i = 0; i < count; i++) {
                ByteBuffer view = buffers[i];
                Region region = regions[i];
                if (i < pieces && view != null && region != null) {
                    region.giveBack(offsets[i], view);
                }
                buffers[i] = null;
                regions[i] = null;
            }
            count = 0;
        }
    }
}
