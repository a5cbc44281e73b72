package io.weft.engine.internal.peer;

import io.weft.api.ErrorCode;
import io.weft.api.MemoryDescriptor;
import io.weft.api.WeftException;
import io.weft.engine.Descriptors;
import java.nio.ByteBuffer;
import java.util.Collection;

/**
 * What engines say to each other about staging, as calls on the control connection under {@link #NAME}. Big-endian.
 *
 * <p>{@code LEASE}: nothing more; the answer is slots and bytes of a slot (4 bytes each), then the window's memory descriptor.
 * {@code SCATTER} (from the window into device memory) and {@code GATHER} (the other way): region id (4), offset in the
 * window (8), places (4), then offset in the region and length of each (8 each); the answer is empty and comes when the bytes
 * are in place. {@code FLUSH}: region ids (4 each) of device memory that was written directly; the answer is empty and comes
 * when those devices were flushed.
 */
final class StagingMessage {
    /** Takes the place of a backend's name, which has no dot. */
    static final String NAME = "weft.staging";
    /** What fits into a call. */
    static final int MOST_PLACES = 2_048;

    static final byte LEASE = 1;
    static final byte SCATTER = 2;
    static final byte GATHER = 3;
    static final byte FLUSH = 4;

    private static final int HEAD_BYTES = 1 + 4 + 8 + 4;
    private static final int PLACE_BYTES = 16;

    private StagingMessage() {}

    /** A move as the target reads it. */
    record Move(boolean scatter, int regionId, long windowOffset, long[] offsets, long[] lengths, long bytes) {}

    static byte[] lease() {
        return new byte[] {LEASE};
    }

    static byte[] leased(MemoryDescriptor window) {
        byte[] packed = Descriptors.pack(window);
        return ByteBuffer.allocate(8 + packed.length)
                .putInt(StagingWindow.SLOTS)
                .putInt(StagingWindow.SLOT_BYTES)
                .put(packed)
                .array();
    }

    static byte[] flush(Collection<Integer> regionIds) {
        ByteBuffer out = ByteBuffer.allocate(1 + regionIds.size() * 4).put(FLUSH);
        regionIds.forEach(out::putInt);
        return out.array();
    }

    /** The regions of a request to flush. */
    static int[] readFlush(byte[] request) {
        int count = (request.length - 1) / 4;
        if (count < 1 || request.length != 1 + count * 4) {
            throw malformed("it asks for a flush in " + request.length + " bytes");
        }
        ByteBuffer in = ByteBuffer.wrap(request, 1, count * 4);
        int[] ids = new int[count];
        for (int i = 0; i < count; i++) {
            ids[i] = in.getInt();
        }
        return ids;
    }

    static byte[] move(byte what, int regionId, long windowOffset, long[] offsets, long[] lengths, int places) {
        ByteBuffer out = ByteBuffer.allocate(HEAD_BYTES + places * PLACE_BYTES)
                .put(what)
                .putInt(regionId)
                .putLong(windowOffset)
                .putInt(places);
        for (int i = 0; i < places; i++) {
            out.putLong(offsets[i]).putLong(lengths[i]);
        }
        return out.array();
    }

    /** Checks everything that can be checked without the region. */
    static Move read(byte[] request) {
        ByteBuffer in = ByteBuffer.wrap(request);
        byte what = in.get();
        if (what != SCATTER && what != GATHER || request.length < HEAD_BYTES) {
            throw malformed("it is of kind " + what + " and has " + request.length + " bytes");
        }
        int regionId = in.getInt();
        long windowOffset = in.getLong();
        int places = in.getInt();
        if (places < 1 || places > MOST_PLACES || in.remaining() != places * PLACE_BYTES) {
            throw malformed("it names " + places + " places in " + request.length + " bytes");
        }
        long[] offsets = new long[places];
        long[] lengths = new long[places];
        long bytes = 0;
        for (int i = 0; i < places; i++) {
            offsets[i] = in.getLong();
            lengths[i] = in.getLong();
            if (offsets[i] < 0 || lengths[i] < 1 || lengths[i] > StagingWindow.BYTES - bytes) {
                throw malformed("place " + i + " has offset " + offsets[i] + " and length " + lengths[i]);
            }
            bytes += lengths[i];
        }
        if (windowOffset < 0 || windowOffset > StagingWindow.BYTES - bytes) {
            throw malformed(bytes + " bytes at " + windowOffset + " leave the window");
        }
        return new Move(what == SCATTER, regionId, windowOffset, offsets, lengths, bytes);
    }

    static WeftException malformed(String what) {
        return new WeftException(
                ErrorCode.PROTOCOL,
                "read a message about staging: " + what + "; the peer's Weft is of another version or defective");
    }
}
