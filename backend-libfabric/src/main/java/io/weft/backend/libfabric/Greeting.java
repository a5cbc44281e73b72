package io.weft.backend.libfabric;

import io.weft.api.ErrorCode;
import io.weft.api.WeftException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * The messages by which two backends make a link, over core's control connection. All begin with a version and a type.
 *
 * <p>An initiator names its endpoint and asks for one; the target makes one for it alone and answers with its name and with a
 * few bytes of memory that the initiator must be able to read through the fabric before the link counts as up.
 */
final class Greeting {
    static final byte VERSION = 1;
    static final byte OPEN = 1;
    static final byte CLOSE = 2;
    static final byte GONE = 3;
    static final int HELLO_BYTES = 16;
    private static final int MOST = 4096;

    private Greeting() {}

    /** What an engine says of itself in core's hello. */
    record Address(String provider, String fabric) {
        byte[] encode() {
            byte[] p = provider.getBytes(StandardCharsets.UTF_8);
            byte[] f = fabric.getBytes(StandardCharsets.UTF_8);
            ByteBuffer out = ByteBuffer.allocate(5 + p.length + f.length).put(VERSION);
            putBytes(out, p);
            putBytes(out, f);
            return out.array();
        }

        static Address decode(byte[] bytes) {
            return reading(
                    "address",
                    bytes,
                    in -> new Address(
                            new String(takeBytes(in), StandardCharsets.UTF_8),
                            new String(takeBytes(in), StandardCharsets.UTF_8)));
        }
    }

    /** Asks for an endpoint. */
    record Open(byte[] initiator) {
        byte[] encode() {
            ByteBuffer out =
                    ByteBuffer.allocate(4 + initiator.length).put(VERSION).put(OPEN);
            putBytes(out, initiator);
            return out.array();
        }

        static Open decode(byte[] bytes) {
            return reading("request", bytes, in -> {
                if (in.get() != OPEN) {
                    throw malformed("request", bytes.length);
                }
                return new Open(takeBytes(in));
            });
        }
    }

    /** The endpoint made. */
    record Opened(long id, byte[] target, RegionKey helloKey, byte[] hello) {
        byte[] encode() {
            byte[] key = helloKey.encode();
            ByteBuffer out = ByteBuffer.allocate(1 + 8 + 2 + target.length + 2 + key.length + HELLO_BYTES)
                    .put(VERSION)
                    .putLong(id);
            putBytes(out, target);
            putBytes(out, key);
            return out.put(hello).array();
        }

        static Opened decode(byte[] bytes) {
            return reading("answer", bytes, in -> {
                long id = in.getLong();
                byte[] target = takeBytes(in);
                RegionKey key = RegionKey.decode(takeBytes(in));
                byte[] hello = new byte[HELLO_BYTES];
                in.get(hello);
                return new Opened(id, target, key, hello);
            });
        }
    }

    /** Says that an endpoint is no longer needed. */
    record Close(long id) {
        byte[] encode() {
            return ByteBuffer.allocate(10).put(VERSION).put(CLOSE).putLong(id).array();
        }

        static Close decode(byte[] bytes) {
            return reading("message", bytes, in -> {
                if (in.get() != CLOSE) {
                    throw malformed("message", bytes.length);
                }
                return new Close(in.getLong());
            });
        }
    }

    /** Says that the target has closed an endpoint without being asked to: a fence. */
    record Gone(long id) {
        byte[] encode() {
            return ByteBuffer.allocate(10).put(VERSION).put(GONE).putLong(id).array();
        }

        static Gone decode(byte[] bytes) {
            return reading("message", bytes, in -> {
                if (in.get() != GONE) {
                    throw malformed("message", bytes.length);
                }
                return new Gone(in.getLong());
            });
        }
    }

    /** Whether a message, whose length and content are not checked yet, claims to be {@link Gone}. */
    static boolean isGone(byte[] message) {
        return message.length > 1 && message[1] == GONE;
    }

    private interface Reader<T> {
        T read(ByteBuffer in);
    }

    private static <T> T reading(String what, byte[] bytes, Reader<T> reader) {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        try {
            byte version = in.get();
            if (version != VERSION) {
                throw new WeftException(
                        ErrorCode.INCOMPATIBLE,
                        "libfabric: the peer's " + what + " has version " + version + ", this side speaks " + VERSION);
            }
            return reader.read(in);
        } catch (BufferUnderflowException truncated) {
            throw malformed(what, bytes.length);
        }
    }

    private static void putBytes(ByteBuffer out, byte[] bytes) {
        out.putShort((short) bytes.length).put(bytes);
    }

    private static byte[] takeBytes(ByteBuffer in) {
        int length = Short.toUnsignedInt(in.getShort());
        if (length > MOST || length > in.remaining()) {
            throw new BufferUnderflowException();
        }
        byte[] bytes = new byte[length];
        in.get(bytes);
        return bytes;
    }

    private static WeftException malformed(String what, int length) {
        return new WeftException(
                ErrorCode.PROTOCOL, "libfabric: the peer's " + what + " of " + length + " bytes cannot be read");
    }
}
