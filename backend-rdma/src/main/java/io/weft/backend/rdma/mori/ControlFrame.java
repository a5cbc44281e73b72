package io.weft.backend.rdma.mori;

import io.weft.api.ErrorCode;
import io.weft.api.WeftException;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.msgpack.core.MessageBufferPacker;
import org.msgpack.core.MessagePack;

/**
 * A request or answer of MORI-IO's control plane: a type byte, the body's length as 32 bits in big-endian order, and a msgpack array.
 * An answer has its request's type. Numbers are unsigned in the bits of their Java type unless said.
 */
public sealed interface ControlFrame permits RegEndpoint, AskMemoryRegion {
    /** Type and length. */
    int HEADER_BYTES = 5;

    /** Longest body that is read here; MORI reads a mebibyte, and never writes more than its engine keys and 200 bytes. */
    int MOST_BODY_BYTES = 16_384;

    /**
     * Which message.
     *
     * @return the type byte
     */
    byte type();

    /**
     * Writes the body.
     *
     * @param out where to
     * @throws IOException never, since it goes to memory
     */
    void packBody(MessageBufferPacker out) throws IOException;

    /**
     * Encodes.
     *
     * @return header and body
     */
    default byte[] encode() {
        try (MessageBufferPacker out = MessagePack.newDefaultBufferPacker()) {
            packBody(out);
            byte[] body = out.toByteArray();
            return ByteBuffer.allocate(HEADER_BYTES + body.length)
                    .put(type())
                    .putInt(body.length)
                    .put(body)
                    .array();
        } catch (IOException impossible) {
            throw new IllegalStateException("packing to memory failed", impossible);
        }
    }

    /**
     * Reads a header.
     *
     * @param header at least {@link #HEADER_BYTES} bytes from position 0
     * @return the body's length
     * @throws WeftException PROTOCOL for a type or length that cannot be
     */
    static int bodyLength(ByteBuffer header) {
        byte type = header.get(0);
        int length = header.getInt(1);
        if (type != RegEndpoint.TYPE && type != AskMemoryRegion.TYPE) {
            throw malformed("its type is " + type + ", must be 0 or 1");
        }
        if (length < 1 || length > MOST_BODY_BYTES) {
            throw malformed(
                    "its body has " + Integer.toUnsignedString(length) + " bytes, may have 1 to " + MOST_BODY_BYTES);
        }
        return length;
    }

    /**
     * Decodes.
     *
     * @param type the header's type
     * @param body the body
     * @return the message
     * @throws WeftException PROTOCOL for bytes that are not one
     */
    static ControlFrame decode(byte type, byte[] body) {
        BodyReader in = new BodyReader(body);
        return type == RegEndpoint.TYPE ? RegEndpoint.unpack(in) : AskMemoryRegion.unpack(in);
    }

    /**
     * For frames that cannot be read.
     *
     * @param found what is wrong
     * @return PROTOCOL
     */
    static WeftException malformed(String found) {
        return new WeftException(ErrorCode.PROTOCOL, "rdma: a MORI-IO control frame cannot be read: " + found);
    }
}
