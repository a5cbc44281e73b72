package io.weft.kv.wire;

import io.weft.api.ErrorCode;
import io.weft.api.WeftException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;

/**
 * Lists of integer lists in one frame, all little endian: a 32-bit count, a 32-bit byte length per list, then the bodies.
 * No lists at all are an empty frame.
 *
 * <p>Stateless; safe from any thread.
 *
 * @since 0.1
 */
public final class IntLists {
    /**
     * Width and sign of the elements.
     *
     * @since 0.1
     */
    public enum Width {
        /** Signed 32 bits. */
        INT32(Integer.BYTES),
        /** Unsigned 32 bits. */
        UINT32(Integer.BYTES),
        /** Unsigned 64 bits, in the bits of a {@code long}. */
        UINT64(Long.BYTES);

        private final int bytes;

        Width(int bytes) {
            this.bytes = bytes;
        }

        private boolean holds(long value) {
            return switch (this) {
                case INT32 -> value == (int) value;
                case UINT32 -> value == (value & 0xffff_ffffL);
                case UINT64 -> true;
            };
        }
    }

    private IntLists() {}

    /**
     * Packs lists.
     *
     * @param lists the lists
     * @param width width of each element
     * @return the frame
     * @throws WeftException INVALID_ARGUMENT if an element does not fit
     */
    public static byte[] pack(long[][] lists, Width width) {
        if (lists.length == 0) {
            return new byte[0];
        }
        int bodies = 0;
        for (long[] list : lists) {
            bodies = Math.addExact(bodies, Math.multiplyExact(list.length, width.bytes));
        }
        ByteBuffer out = ByteBuffer.allocate(Math.addExact(Integer.BYTES * (1 + lists.length), bodies))
                .order(ByteOrder.LITTLE_ENDIAN);
        out.putInt(lists.length);
        for (long[] list : lists) {
            out.putInt(list.length * width.bytes);
        }
        for (long[] list : lists) {
            for (long value : list) {
                put(out, value, width);
            }
        }
        return out.array();
    }

    /**
     * Unpacks lists. Strict where the original shortens silently: what is there must be exactly what is claimed.
     *
     * @param frame the frame
     * @param width width of each element
     * @return the lists
     * @throws WeftException DECODE_ERROR naming the list and what was found
     */
    public static long[][] unpack(byte[] frame, Width width) {
        try {
            return read("int lists", frame, width);
        } catch (FrameException broken) {
            throw new WeftException(ErrorCode.DECODE_ERROR, Objects.requireNonNull(broken.getMessage()));
        }
    }

    static long[][] read(String where, byte[] frame, Width width) throws FrameException {
        if (frame.length == 0) {
            return new long[0][];
        }
        ByteBuffer in = ByteBuffer.wrap(frame).order(ByteOrder.LITTLE_ENDIAN);
        long lists = in.remaining() < Integer.BYTES ? -1 : in.getInt() & 0xffff_ffffL;
        if (lists < 0 || lists * Integer.BYTES > in.remaining()) {
            throw FrameException.malformed(
                    where + " has " + frame.length + " bytes, too few for the " + lists + " lists it claims");
        }
        long[][] values = new long[(int) lists][];
        long bodies = 0;
        for (int i = 0; i < values.length; i++) {
            long length = in.getInt() & 0xffff_ffffL;
            bodies += length;
            if (length % width.bytes != 0 || bodies > frame.length) {
                throw FrameException.malformed(where + " list " + i + " claims " + length + " bytes of " + frame.length
                        + ", must be a multiple of " + width.bytes);
            }
            values[i] = new long[(int) (length / width.bytes)];
        }
        if (bodies != in.remaining()) {
            throw FrameException.malformed(where + " claims bodies of " + bodies + " bytes and has " + in.remaining());
        }
        for (long[] list : values) {
            for (int i = 0; i < list.length; i++) {
                list[i] = switch (width) {
                    case INT32 -> in.getInt();
                    case UINT32 -> in.getInt() & 0xffff_ffffL;
                    case UINT64 -> in.getLong();
                };
            }
        }
        return values;
    }

    private static void put(ByteBuffer out, long value, Width width) {
        if (!width.holds(value)) {
            throw new WeftException(ErrorCode.INVALID_ARGUMENT, "int list element " + value + " does not fit " + width);
        }
        if (width == Width.UINT64) {
            out.putLong(value);
        } else {
            out.putInt((int) value);
        }
    }
}
