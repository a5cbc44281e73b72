package io.weft.backend.rdma.mori;

import io.weft.api.WeftException;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import org.msgpack.core.MessagePack;
import org.msgpack.core.MessagePackException;
import org.msgpack.core.MessageUnpacker;
import org.msgpack.value.ValueType;

/** A body from a stranger, read value by value: no claimed length is believed beyond the bytes that are there. */
final class BodyReader {
    private static final BigInteger MOST = BigInteger.ONE.shiftLeft(64).subtract(BigInteger.ONE);

    private interface Read<T> {
        T run() throws IOException;
    }

    private final byte[] body;
    private final MessageUnpacker in;

    BodyReader(byte[] body) {
        this.body = body;
        in = MessagePack.newDefaultUnpacker(body);
    }

    /** Elements of an array, of which older versions wrote fewer and later ones may write more. */
    int array(String what, int least, int most) {
        int count = read(what, in::unpackArrayHeader);
        if (count < least || count > most) {
            throw ControlFrame.malformed(what + " has " + count + " elements, may have " + least + " to " + most);
        }
        return count;
    }

    String text(String what) {
        return new String(payload(what), StandardCharsets.UTF_8);
    }

    byte[] bytes(String what, int length) {
        byte[] value = payload(what);
        if (value.length != length) {
            throw ControlFrame.malformed(what + " has " + value.length + " bytes, must have " + length);
        }
        return value;
    }

    /** Signed. */
    int int32(String what) {
        return read(what, in::unpackInt);
    }

    int uint32(String what) {
        long value = read(what, in::unpackLong);
        if (value < 0 || value > 0xffff_ffffL) {
            throw ControlFrame.malformed(what + " is " + value + ", which has no 32 bits");
        }
        return (int) value;
    }

    long uint64(String what) {
        BigInteger value = read(what, in::unpackBigInteger);
        if (value.signum() < 0 || value.compareTo(MOST) > 0) {
            throw ControlFrame.malformed(what + " is " + value + ", which has no 64 bits");
        }
        return value.longValue();
    }

    void skip(int values) {
        read("an extra field", () -> {
            in.skipValue(values);
            return values;
        });
    }

    private byte[] payload(String what) {
        return read(what, () -> {
            int length = in.getNextFormat().getValueType() == ValueType.STRING
                    ? in.unpackRawStringHeader()
                    : in.unpackBinaryHeader();
            if (length > body.length - in.getTotalReadBytes()) {
                throw ControlFrame.malformed(what + " claims " + length + " bytes of a body of " + body.length);
            }
            return in.readPayload(length);
        });
    }

    private <T> T read(String what, Read<T> step) {
        try {
            return step.run();
        } catch (WeftException told) {
            throw told;
        } catch (IOException | MessagePackException broken) {
            throw ControlFrame.malformed(what + " at byte " + in.getTotalReadBytes() + " of " + body.length
                    + " is truncated or of another type (" + broken.getClass().getSimpleName() + ")");
        }
    }
}
