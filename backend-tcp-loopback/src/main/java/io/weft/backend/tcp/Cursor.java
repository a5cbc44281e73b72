package io.weft.backend.tcp;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/**
 * A position in an {@link Extents} list that bytes are sent from or received into. Confined to its owner.
 *
 * <p>Long pieces go between socket and region without a copy, one call a piece; only the head of a chunk is gathered with its
 * first piece, since the JDK makes two small objects for every gathered buffer whose memory belongs to an arena. Short pieces
 * are packed into a slab by the owner.
 */
final class Cursor {
    /** From this length on a piece is worth a system call of its own; measured, see docs/benchmarks.md. */
    static final int DIRECT_BYTES = 16 << 10;

    private @Nullable Extents extents;
    private int index;
    private long within;
    private long remaining;
    private boolean spoiled;
    private final @Nullable ByteBuffer[] gather = new ByteBuffer[2];

    /** Covers a whole list. */
    void start(Extents list) {
        start(list, 0, 0, list.total());
    }

    /** Covers {@code length} bytes from byte {@code startWithin} of entry {@code startIndex} on. */
    void start(Extents list, int startIndex, long startWithin, long length) {
        extents = list;
        index = startIndex;
        within = startWithin;
        remaining = length;
        spoiled = false;
        skipFinished();
    }

    /** Covers {@code length} bytes from byte {@code streamOffset} of the whole list on. */
    void startAt(Extents list, long streamOffset, long length) {
        int at = 0;
        long left = streamOffset;
        while (at < list.count() && left >= list.length(at)) {
            left -= list.length(at++);
        }
        start(list, at, left, length);
    }

    /** Lets go of the list; {@link #isDone} then holds. */
    void stop() {
        extents = null;
        remaining = 0;
    }

    boolean isDone() {
        return remaining == 0;
    }

    long remaining() {
        return remaining;
    }

    /** Whether bytes were thrown away since a region was deregistered under the transfer. */
    boolean isSpoiled() {
        return spoiled;
    }

    /** Bytes that lie together at the position. */
    long piece() {
        return remaining == 0 ? 0 : Math.min(Math.min(list().length(index) - within, remaining), Region.MAX_RANGE);
    }

    /** Whether the piece at the position should go without a copy. */
    boolean isDirect() {
        long piece = piece();
        if (piece < DIRECT_BYTES) {
            return false;
        }
        Region region = list().region(index);
        return region != null && region.isLive();
    }

    /** Whether the next bytes may be read from the region; false once it was deregistered. */
    boolean isReadable() {
        Region region = list().region(index);
        return region != null && region.isLive();
    }

    /** Copies at most {@code room} bytes of the piece at the position out of the region. */
    int pack(MemorySegment to, long at, int room) {
        int bytes = (int) Math.min(piece(), room);
        MemorySegment.copy(region().memory(), list().offset(index) + within, to, at, bytes);
        advance(bytes);
        return bytes;
    }

    /** Copies at most {@code available} bytes into the regions, however many pieces that takes. */
    int unpack(MemorySegment from, long at, int available) {
        int done = 0;
        while (done < available && remaining > 0) {
            int bytes = (int) Math.min(piece(), available - done);
            Region region = list().region(index);
            if (region != null && region.isLive()) {
                MemorySegment.copy(from, at + done, region.memory(), list().offset(index) + within, bytes);
            } else {
                spoiled |= region != null;
            }
            advance(bytes);
            done += bytes;
        }
        return done;
    }

    /** Sends from the piece at the position, at most {@code most} bytes; how many went. */
    int send(SocketChannel channel, int most) throws IOException {
        Region region = region();
        long offset = list().offset(index) + within;
        ByteBuffer view = region.borrow(offset, (int) Math.min(piece(), most));
        try {
            int sent = channel.write(view);
            advance(sent);
            return sent;
        } finally {
            region.giveBack(offset, view);
        }
    }

    /** Sends a staged head and the piece at the position in one call; how many bytes of both went. */
    long sendAfter(ByteBuffer head, SocketChannel channel) throws IOException {
        Region region = region();
        long offset = list().offset(index) + within;
        ByteBuffer view = region.borrow(offset, (int) piece());
        int staged = head.remaining();
        gather[0] = head;
        gather[1] = view;
        try {
            long sent = channel.write(gather);
            advance(Math.max(0, sent - staged));
            return sent;
        } finally {
            gather[1] = null;
            region.giveBack(offset, view);
        }
    }

    /** Receives into the piece at the position, at most {@code most} bytes; how many came, -1 at the end of the stream. */
    int receive(SocketChannel channel, int most) throws IOException {
        Region region = region();
        long offset = list().offset(index) + within;
        ByteBuffer view = region.borrow(offset, (int) Math.min(piece(), most));
        try {
            int received = channel.read(view);
            advance(Math.max(received, 0));
            return received;
        } finally {
            region.giveBack(offset, view);
        }
    }

    private void advance(long bytes) {
        within += bytes;
        remaining -= bytes;
        skipFinished();
    }

    private void skipFinished() {
        while (remaining > 0 && within == list().length(index)) {
            index++;
            within = 0;
        }
    }

    private Region region() {
        Region region = list().region(index);
        if (region == null) {
            throw new IllegalStateException("the position is in bytes to throw away");
        }
        return region;
    }

    private Extents list() {
        if (extents == null) {
            throw new IllegalStateException("no list");
        }
        return extents;
    }
}
