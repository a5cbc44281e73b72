package io.weft.kv.wire;

import io.weft.kv.wire.Decoded.Reason;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Reads the frames of one message, naming frame and bound in every defect. */
final class Frames {
    /** More than any version of the protocol has. */
    static final int MAX_FRAMES = 32;
    /** Longest list of page or state indices: a million pages. */
    static final int MAX_INDEX_BYTES = 4 << 20;
    /** Longest list of packed descriptors. */
    static final int MAX_DESCRIPTOR_BYTES = 16 << 20;
    /** Longest aux row. */
    static final int MAX_AUX_BYTES = 16 << 20;
    /** Longest short text: a host, an engine key. */
    static final int MAX_KEY_BYTES = 1024;
    /** Longest failure reason that is read or written; the rest is cut off. */
    static final int MAX_REASON_BYTES = 16_384;

    /** Largest page of one buffer. */
    private static final long MAX_ITEM_BYTES = 64L << 30;

    private static final byte[] EMPTY = {};

    private final String kind;
    private final List<byte[]> frames;

    Frames(String kind, List<byte[]> frames, int atLeast) throws FrameException {
        this.kind = kind;
        this.frames = frames;
        if (frames.size() < atLeast || frames.size() > MAX_FRAMES) {
            throw new FrameException(
                    Reason.FRAME_COUNT,
                    kind + " has " + frames.size() + " frames, must have " + atLeast + " to " + MAX_FRAMES);
        }
    }

    int count() {
        return frames.size();
    }

    /** The frame, or an empty one if an older peer did not send it. */
    byte[] bytes(int index, int maxBytes) throws FrameException {
        byte[] frame = index < frames.size() ? frames.get(index) : EMPTY;
        if (frame.length > maxBytes) {
            throw new FrameException(
                    Reason.OVERSIZED, at(index) + " has " + frame.length + " bytes, at most " + maxBytes + " allowed");
        }
        return frame;
    }

    boolean isEmpty(int index) {
        return index >= frames.size() || frames.get(index).length == 0;
    }

    /** An unsigned 64-bit room id in decimal digits. */
    long room(int index) throws FrameException {
        byte[] frame = digits(index, 20);
        long value = 0;
        for (byte digit : frame) {
            int d = digit - '0';
            // 2^64 - 1 = 18446744073709551615: one more factor of ten must neither overflow by itself nor with the
            // digit
            if (Long.compareUnsigned(value, Long.divideUnsigned(-1L - d, 10)) > 0) {
                throw FrameException.malformed(at(index) + " is larger than 18446744073709551615");
            }
            value = value * 10 + d;
        }
        return value;
    }

    /** A decimal number from min to max; min may be negative. */
    int integer(int index, int min, int max) throws FrameException {
        byte[] frame = bytes(index, 11);
        boolean negative = min < 0 && frame.length > 1 && frame[0] == '-';
        long value = 0;
        checkDigits(index, frame, negative ? 1 : 0);
        for (int i = negative ? 1 : 0; i < frame.length; i++) {
            value = value * 10 + (frame[i] - '0');
        }
        value = negative ? -value : value;
        if (value < min || value > max) {
            throw FrameException.malformed(at(index) + " is " + value + ", must be " + min + " to " + max);
        }
        return (int) value;
    }

    /** A decimal size from 1 up to 64 GiB. */
    long size(int index) throws FrameException {
        byte[] frame = digits(index, 11);
        long value = Long.parseLong(new String(frame, StandardCharsets.US_ASCII));
        if (value < 1 || value > MAX_ITEM_BYTES) {
            throw FrameException.malformed(at(index) + " is " + value + ", must be 1 to " + MAX_ITEM_BYTES);
        }
        return value;
    }

    /** Printable ASCII without blanks, as hosts and engine keys are. */
    String token(int index, int maxBytes) throws FrameException {
        byte[] frame = bytes(index, maxBytes);
        if (frame.length == 0) {
            throw FrameException.malformed(at(index) + " is empty");
        }
        for (byte b : frame) {
            if (b <= ' ' || b == 0x7f) {
                throw FrameException.malformed(at(index) + " holds byte " + (b & 0xff) + ", must be printable ASCII");
            }
        }
        return new String(frame, StandardCharsets.US_ASCII);
    }

    /** UTF-8 text; an over-long one is cut rather than refused, because it only explains. */
    String text(int index) throws FrameException {
        if (isEmpty(index)) {
            return "";
        }
        byte[] frame = frames.get(index);
        int length = cut(frame, MAX_REASON_BYTES);
        try {
            CharBuffer chars = StandardCharsets.UTF_8
                    .newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .onUnmappableCharacter(CodingErrorAction.REPORT)
                    .decode(ByteBuffer.wrap(frame, 0, length));
            return chars.toString();
        } catch (CharacterCodingException notUtf8) {
            throw FrameException.malformed(at(index) + " is not UTF-8");
        }
    }

    /** Raw little-endian 32-bit indices, each zero or more. */
    int[] indices(int index) throws FrameException {
        byte[] frame = bytes(index, MAX_INDEX_BYTES);
        if (frame.length % Integer.BYTES != 0) {
            throw FrameException.malformed(
                    at(index) + " has " + frame.length + " bytes, must be a multiple of " + Integer.BYTES);
        }
        int[] values = new int[frame.length / Integer.BYTES];
        ByteBuffer.wrap(frame).order(ByteOrder.LITTLE_ENDIAN).asIntBuffer().get(values);
        for (int value : values) {
            checkIndex(index, value);
        }
        return values;
    }

    /** Lists of 32-bit indices, each zero or more. */
    int[][] indexLists(int index) throws FrameException {
        long[][] lists = IntLists.read(at(index), bytes(index, MAX_INDEX_BYTES), IntLists.Width.INT32);
        int[][] narrowed = new int[lists.length][];
        for (int i = 0; i < lists.length; i++) {
            narrowed[i] = new int[lists[i].length];
            for (int k = 0; k < lists[i].length; k++) {
                checkIndex(index, lists[i][k]);
                narrowed[i][k] = (int) lists[i][k];
            }
        }
        return narrowed;
    }

    private void checkIndex(int index, long value) throws FrameException {
        if (value < 0) {
            throw FrameException.malformed(at(index) + " holds index " + value + ", must be 0 or more");
        }
    }

    Extras extras(int from) throws FrameException {
        for (int i = from; i < frames.size(); i++) {
            if (ExtrasCodec.isExtras(frames.get(i))) {
                return ExtrasCodec.decode(at(i), bytes(i, ExtrasCodec.MAX_BYTES));
            }
        }
        return Extras.NONE;
    }

    String at(int index) {
        return kind + " frame " + index;
    }

    /** Length to which UTF-8 bytes may be cut without splitting a character. */
    static int cut(byte[] utf8, int maxBytes) {
        if (utf8.length <= maxBytes) {
            return utf8.length;
        }
        int end = maxBytes;
        while (end > 0 && (utf8[end] & 0xc0) == 0x80) {
            end--;
        }
        return end;
    }

    private byte[] digits(int index, int max) throws FrameException {
        byte[] frame = bytes(index, max);
        checkDigits(index, frame, 0);
        return frame;
    }

    private void checkDigits(int index, byte[] frame, int from) throws FrameException {
        if (frame.length == from) {
            throw FrameException.malformed(at(index) + " is empty, must be a decimal number");
        }
        for (int i = from; i < frame.length; i++) {
            if (frame[i] < '0' || frame[i] > '9') {
                throw FrameException.malformed(
                        at(index) + " holds byte " + (frame[i] & 0xff) + ", must be a decimal number");
            }
        }
    }
}
