package io.weft.kv.wire;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import org.msgpack.core.MessageBufferPacker;
import org.msgpack.core.MessagePack;
import org.msgpack.core.MessagePacker;

/**
 * Lists of packed descriptors as the frames 5 to 7 of a registration: a msgpack array of {@code bin}, or an array of such
 * arrays; an empty list is an empty frame.
 *
 * <p>Stateless; safe from any thread.
 *
 * @since 0.1
 */
public final class DescriptorLists {
    private DescriptorLists() {}

    /**
     * Packs a list.
     *
     * @param descriptors packed descriptors
     * @return the frame
     */
    public static byte[] pack(List<byte[]> descriptors) {
        return descriptors.isEmpty() ? new byte[0] : packed(out -> blobs(out, descriptors));
    }

    /**
     * Packs a list of lists.
     *
     * @param components packed descriptors per component
     * @return the frame
     */
    public static byte[] packNested(List<List<byte[]>> components) {
        if (components.isEmpty()) {
            return new byte[0];
        }
        return packed(out -> {
            out.packArrayHeader(components.size());
            for (List<byte[]> component : components) {
                blobs(out, component);
            }
        });
    }

    static List<byte[]> unpack(String where, byte[] frame) throws FrameException {
        if (frame.length == 0) {
            return List.of();
        }
        BoundedUnpacker in = new BoundedUnpacker(where, frame);
        List<byte[]> descriptors = in.list(in::binary);
        in.end();
        return descriptors;
    }

    static List<List<byte[]>> unpackNested(String where, byte[] frame) throws FrameException {
        if (frame.length == 0) {
            return List.of();
        }
        BoundedUnpacker in = new BoundedUnpacker(where, frame);
        List<List<byte[]>> components = in.list(() -> in.list(in::binary));
        in.end();
        return components;
    }

    private static void blobs(MessagePacker out, List<byte[]> blobs) throws IOException {
        out.packArrayHeader(blobs.size());
        for (byte[] blob : blobs) {
            out.packBinaryHeader(blob.length);
            out.writePayload(blob);
        }
    }

    /** Something that packs. */
    @FunctionalInterface
    private interface Body {
        void to(MessagePacker out) throws IOException;
    }

    private static byte[] packed(Body body) {
        try (MessageBufferPacker out = MessagePack.newDefaultBufferPacker()) {
            body.to(out);
            return out.toByteArray();
        } catch (IOException inMemory) {
            throw new UncheckedIOException(inMemory);
        }
    }
}
