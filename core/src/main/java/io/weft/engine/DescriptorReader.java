package io.weft.engine;

import io.weft.api.ErrorCode;
import io.weft.api.MemoryDescriptor;
import io.weft.api.WeftException;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.msgpack.core.MessageFormat;
import org.msgpack.core.MessagePack;
import org.msgpack.core.MessagePackException;
import org.msgpack.core.MessageUnpacker;
import org.msgpack.value.ValueType;

/** Reads one positional msgpack array field by field. Every claimed length is held against what is there before anything is
 * allocated. Confined to one thread. */
final class DescriptorReader {
    private static final BigInteger MAX_UINT64 = BigInteger.ONE.shiftLeft(64).subtract(BigInteger.ONE);

    private final String what;
    private final int size;
    private final MessageUnpacker in;
    private int left;

    DescriptorReader(String what, byte[] packed) {
        this.what = what;
        this.size = packed.length;
        if (size > Descriptors.MAX_BYTES) {
            throw bad("it has " + size + " bytes, at most " + Descriptors.MAX_BYTES + " are read");
        }
        in = MessagePack.newDefaultUnpacker(packed);
        left = step("array", () -> {
            expect("array", ValueType.ARRAY);
            return in.unpackArrayHeader();
        });
        // Each element takes at least a byte, so a larger count is a lie or a truncation.
        if (left > remaining()) {
            throw bad("it claims " + left + " fields and has " + remaining() + " bytes for them");
        }
    }

    String text(String field, String absent) {
        return next() ? step(field, () -> utf8(field, payload(field))) : absent;
    }

    int int32(String field, int absent) {
        return next() ? (int) integer(field, Integer.MIN_VALUE, Integer.MAX_VALUE) : absent;
    }

    /** Unsigned, in an int's bits. */
    int uint32(String field, int absent) {
        return next() ? (int) integer(field, 0, 0xFFFF_FFFFL) : absent;
    }

    /** Unsigned, in a long's bits; 0 when absent. */
    long uint64(String field) {
        if (!next()) {
            return 0;
        }
        BigInteger value = step(field, () -> {
            expect(field, ValueType.INTEGER);
            return in.unpackBigInteger();
        });
        if (value.signum() < 0 || value.compareTo(MAX_UINT64) > 0) {
            throw bad(field + " is " + value + ", must be 0 to " + MAX_UINT64);
        }
        return value.longValue();
    }

    /** Zeros when absent. */
    byte[] handle(String field) {
        if (!next()) {
            return new byte[MemoryDescriptor.HANDLE_BYTES];
        }
        byte[] value = step(field, () -> payload(field));
        if (value.length != MemoryDescriptor.HANDLE_BYTES) {
            throw bad(field + " has " + value.length + " bytes, must have " + MemoryDescriptor.HANDLE_BYTES);
        }
        return value;
    }

    /** Skips fields of later versions, but only whole ones: a truncated array is a truncated array. */
    void skipRest() {
        while (next()) {
            step("an extra field", () -> {
                skipOne();
                return 0;
            });
        }
    }

    private boolean next() {
        return left-- > 0;
    }

    private long integer(String field, long min, long max) {
        long value = step(field, () -> {
            expect(field, ValueType.INTEGER);
            return in.unpackLong();
        });
        if (value < min || value > max) {
            throw bad(field + " is " + value + ", must be " + min + " to " + max);
        }
        return value;
    }

    private byte[] payload(String field) throws IOException {
        MessageFormat format = in.getNextFormat();
        int length = switch (format.getValueType()) {
            case STRING -> in.unpackRawStringHeader();
            case BINARY -> in.unpackBinaryHeader();
            default -> throw mistyped(field, "text or binary", format);
        };
        if (length > remaining()) {
            throw bad(field + " claims " + length + " bytes and " + remaining() + " are left");
        }
        return in.readPayload(length);
    }

    private String utf8(String field, byte[] bytes) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException notText) {
            throw bad(field + " is not UTF-8");
        }
    }

    /** Counts what is still to skip instead of recursing, so that nested arrays cost no stack. */
    private void skipOne() throws IOException {
        for (long values = 1; values > 0; values--) {
            switch (in.getNextFormat().getValueType()) {
                case ARRAY -> values += in.unpackArrayHeader();
                case MAP -> values += 2L * in.unpackMapHeader();
                default -> in.skipValue();
            }
            if (values - 1 > remaining()) {
                throw bad("an extra field claims " + (values - 1) + " values and " + remaining() + " bytes are left");
            }
        }
    }

    private void expect(String field, ValueType type) throws IOException {
        MessageFormat format = in.getNextFormat();
        if (format.getValueType() != type) {
            throw mistyped(field, type.name().toLowerCase(java.util.Locale.ROOT), format);
        }
    }

    private long remaining() {
        return size - in.getTotalReadBytes();
    }

    private interface Read<T> {
        T run() throws IOException;
    }

    private <T> T step(String field, Read<T> read) {
        try {
            return read.run();
        } catch (MessagePackException | IOException broken) {
            throw new WeftException(
                    ErrorCode.DECODE_ERROR,
                    "unpack " + what + " of " + size + " bytes: " + field + " at byte " + in.getTotalReadBytes()
                            + " is truncated, oversized or no msgpack ("
                            + broken.getClass().getSimpleName() + ")",
                    broken);
        }
    }

    private WeftException mistyped(String field, String expected, MessageFormat found) {
        return bad(field + " at byte " + in.getTotalReadBytes() + " is " + found + ", must be " + expected
                + (field.equals("deviceBusId")
                        ? " (MORI-IO 0.1 wrote another layout; its descriptors cannot be read)"
                        : ""));
    }

    private WeftException bad(String found) {
        return new WeftException(ErrorCode.DECODE_ERROR, "unpack " + what + " of " + size + " bytes: " + found);
    }
}
