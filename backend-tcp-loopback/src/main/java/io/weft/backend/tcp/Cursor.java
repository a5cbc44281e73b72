package io.weft.backend.tcp;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/**
 * A position in an {@link Extents} list that bytes are sent from or received into. Confined to its owner.
 *
 * <p>Long pieces go between socket and region without a copy, several in one call. Short ones are packed into a slab by the
 * owner, since the JDK makes two small objects for every buffer of such a call whose memory belongs to an arena.
 */
final class Cursor {
    /** From this length on a piece is worth not being copied; measured, see docs/benchmarks.md. */
    static final int DIRECT_BYTES = 16 << 10;

    private @Nullable Extents extents;
    private int index;
    private long within;
    private long remaining;
    private boolean spoiled;

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

    /** Adds the piece at the position to what is sent next, and goes on behind it. */
    void moveTo(Gather gather) {
        int bytes = (int) piece();
        gather.addPiece(region(), list().offset(index) + within, bytes);
        advance(bytes);
    }

    /**
     * Receives into the long pieces from the position on, in one call.
     *
     * @param tail where to put what comes behind the last byte of the list, if the call reaches that far
     * @return how many bytes came in all, -1 at the end of the stream
     */
    long receive(SocketChannel channel, Scatter scatter, ByteBuffer tail) throws IOException {
        Extents to = list();
        int at = index;
        long from = within;
        long due = remaining;
        while (due > 0 && !scatter.isFull()) {
            Region region = to.region(at);
            int bytes = (int) Math.min(Math.min(to.length(at) - from, due), Region.MAX_RANGE);
            if (bytes < DIRECT_BYTES || region == null || !region.isLive()) {
                break;
            }
            scatter.addPiece(region, to.offset(at) + from, bytes);
            due -= bytes;
            from += bytes;
            if (from == to.length(at)) {
                at++;
                from = 0;
            }
        }
        long received = scatter.receive(channel, due == 0 ? tail : null);
        advance(Math.min(Math.max(received, 0), remaining - due));
        return received;
    }

    private void advance(long bytes) {
        within += bytes;
        remaining -= bytes;
        skipFinished();
    }

    private void skipFinished() {
        while (remaining > 0 && within >= list().length(index)) {
            within -= list().length(index++);
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
