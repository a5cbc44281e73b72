package io.weft.engine;

import io.weft.api.ErrorCode;
import io.weft.api.WeftException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import org.msgpack.core.MessageBufferPacker;
import org.msgpack.core.MessagePack;

/** Writes one positional msgpack array; the packer's integers are the shortest, as MORI-IO's are. Confined to one thread. */
final class DescriptorWriter {
    private final String what;
    private final MessageBufferPacker out = MessagePack.newDefaultBufferPacker();

    DescriptorWriter(String what, int fields) {
        this.what = what;
        run(() -> out.packArrayHeader(fields));
    }

    DescriptorWriter text(String value) {
        byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
        if (!new String(utf8, StandardCharsets.UTF_8).equals(value)) {
            throw new WeftException(
                    ErrorCode.INVALID_ARGUMENT,
                    "pack " + what + ": a text has an unpaired surrogate and no UTF-8 form");
        }
        return run(() -> out.packRawStringHeader(utf8.length).writePayload(utf8));
    }

    DescriptorWriter integer(long value) {
        return run(() -> out.packLong(value));
    }

    DescriptorWriter unsigned(long value) {
        return value >= 0
                ? integer(value)
                : run(() -> out.packBigInteger(new BigInteger(Long.toUnsignedString(value))));
    }

    DescriptorWriter binary(byte[] value) {
        return run(() -> out.packBinaryHeader(value.length).writePayload(value));
    }

    byte[] bytes() {
        byte[] packed = out.toByteArray();
        if (packed.length > Descriptors.MAX_BYTES) {
            throw new WeftException(
                    ErrorCode.INVALID_ARGUMENT,
                    "pack " + what + ": it has " + packed.length + " bytes, at most " + Descriptors.MAX_BYTES
                            + " are read by peers; shorten its texts");
        }
        return packed;
    }

    private interface Step {
        void run() throws IOException;
    }

    private DescriptorWriter run(Step step) {
        try {
            step.run();
        } catch (IOException impossible) {
            throw new UncheckedIOException("a packer into memory failed", impossible);
        }
        return this;
    }
}
