package io.weft.kv.wire;

import io.weft.api.WeftException;
import io.weft.kv.wire.Decoded.Reason;
import io.weft.kv.wire.IntLists.Width;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * Messages as frames. Encoding a message without extras gives the original connector's frames byte for byte; decoding
 * tolerates missing optional frames and any trailing ones.
 *
 * <p>Stateless; safe from any thread; nothing here blocks.
 *
 * @since 0.1
 */
public final class KvCodec {
    private static final byte[] GUARD = "MoriMsgGuard".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] REGISTRATION = "None".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] AUX_DATA = "AUX_DATA".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] ABORT = "ABORT".getBytes(StandardCharsets.US_ASCII);

    private static final int MAX_PORT = 65_535;
    private static final int MAX_RANKS = 1 << 20;

    private KvCodec() {}

    /**
     * Writes a message.
     *
     * @param message the message
     * @return its frames, an unmodifiable list
     * @throws WeftException INVALID_ARGUMENT if an integer does not fit its field
     */
    public static List<byte[]> encode(KvMessage message) {
        return switch (message) {
            case PeerRegistration m -> registration(m);
            case TransferMetadata m -> metadata(m);
            case RoomStatus m ->
                new FrameList()
                        .raw(GUARD)
                        .room(m.room())
                        .number(m.status())
                        .number(m.prefillRank())
                        .reason(m.reason())
                        .with(m.extras());
            case AuxData m ->
                new FrameList()
                        .raw(AUX_DATA)
                        .room(m.room())
                        .number(m.buffer())
                        .number(m.row())
                        .raw(bigEndian(m.data().length))
                        .raw(m.data())
                        .with(m.extras());
            case RoomAbort m ->
                new FrameList()
                        .raw(ABORT)
                        .room(m.room())
                        .text(m.host())
                        .number(m.port())
                        .with(m.extras());
        };
    }

    /**
     * Reads a message.
     *
     * @param receiver the side at which the frames arrived
     * @param frames the frames; the message may keep them
     * @return the message, or why there is none
     */
    public static Decoded decode(Receiver receiver, List<byte[]> frames) {
        try {
            return new Decoded.Accepted(receiver == Receiver.PREFILL ? atPrefill(frames) : atDecode(frames));
        } catch (FrameException broken) {
            return broken.toValue();
        }
    }

    private static KvMessage atPrefill(List<byte[]> frames) throws FrameException {
        if (startsWith(frames, ABORT)) {
            Frames in = new Frames("abort", frames, 4);
            return new RoomAbort(
                    in.room(1), in.token(2, Frames.MAX_KEY_BYTES), in.integer(3, 1, MAX_PORT), in.extras(4));
        }
        if (!startsWith(frames, GUARD)) {
            throw unknown(frames);
        }
        boolean registers = frames.size() > 1 && Arrays.equals(frames.get(1), REGISTRATION);
        return registers ? readRegistration(frames) : readMetadata(frames);
    }

    private static KvMessage atDecode(List<byte[]> frames) throws FrameException {
        if (startsWith(frames, AUX_DATA)) {
            return readAux(frames);
        }
        if (!startsWith(frames, GUARD)) {
            throw unknown(frames);
        }
        Frames in = new Frames("status", frames, 4);
        return new RoomStatus(
                in.room(1), in.integer(2, 0, Integer.MAX_VALUE), in.integer(3, 0, MAX_RANKS), in.text(4), in.extras(5));
    }

    private static KvMessage readRegistration(List<byte[]> frames) throws FrameException {
        Frames in = new Frames("registration", frames, 12);
        return new PeerRegistration(
                in.token(2, Frames.MAX_KEY_BYTES),
                in.integer(3, 1, MAX_PORT),
                in.bytes(4, Frames.MAX_DESCRIPTOR_BYTES),
                DescriptorLists.unpack(in.at(5), in.bytes(5, Frames.MAX_DESCRIPTOR_BYTES)),
                DescriptorLists.unpack(in.at(6), in.bytes(6, Frames.MAX_DESCRIPTOR_BYTES)),
                DescriptorLists.unpackNested(in.at(7), in.bytes(7, Frames.MAX_DESCRIPTOR_BYTES)),
                in.integer(8, -1, Integer.MAX_VALUE),
                in.integer(9, 1, MAX_RANKS),
                in.integer(10, 0, MAX_RANKS),
                in.size(11),
                IntLists.read(in.at(12), in.bytes(12, Frames.MAX_INDEX_BYTES), Width.UINT32),
                IntLists.read(in.at(13), in.bytes(13, Frames.MAX_INDEX_BYTES), Width.UINT32),
                in.extras(14));
    }

    private static KvMessage readMetadata(List<byte[]> frames) throws FrameException {
        Frames in = new Frames("metadata", frames, 7);
        return new TransferMetadata(
                in.room(1),
                in.token(2, Frames.MAX_KEY_BYTES),
                in.integer(3, 1, MAX_PORT),
                in.token(4, Frames.MAX_KEY_BYTES),
                in.indices(5),
                in.isEmpty(6) ? -1 : in.integer(6, 0, Integer.MAX_VALUE),
                in.indexLists(7),
                in.isEmpty(8) ? 1 : in.integer(8, 1, MAX_RANKS),
                in.isEmpty(9) ? 0 : in.integer(9, 0, Integer.MAX_VALUE),
                in.extras(10));
    }

    private static KvMessage readAux(List<byte[]> frames) throws FrameException {
        Frames in = new Frames("aux data", frames, 6);
        byte[] length = in.bytes(4, Integer.BYTES);
        byte[] data = in.bytes(5, Frames.MAX_AUX_BYTES);
        if (!Arrays.equals(length, bigEndian(data.length))) {
            throw FrameException.malformed(in.at(5) + " has " + data.length + " bytes, frame 4 claims another length");
        }
        return new AuxData(
                in.room(1),
                in.integer(2, 0, Integer.MAX_VALUE),
                in.integer(3, 0, Integer.MAX_VALUE),
                data,
                in.extras(6));
    }

    private static List<byte[]> registration(PeerRegistration m) {
        return new FrameList()
                .raw(GUARD)
                .raw(REGISTRATION)
                .text(m.host())
                .number(m.port())
                .raw(m.engine())
                .raw(DescriptorLists.pack(m.kv()))
                .raw(DescriptorLists.pack(m.aux()))
                .raw(DescriptorLists.packNested(m.state()))
                .number(m.gpuId())
                .number(m.tpSize())
                .number(m.engineRank())
                .number(m.kvItemLen())
                .raw(IntLists.pack(m.stateItemLens(), Width.UINT32))
                .raw(IntLists.pack(m.stateDims(), Width.UINT32))
                .with(m.extras());
    }

    private static List<byte[]> metadata(TransferMetadata m) {
        FrameList out = new FrameList()
                .raw(GUARD)
                .room(m.room())
                .text(m.host())
                .number(m.port())
                .text(m.engineKey())
                .indices(m.pages());
        if (m.auxIndex() < 0) {
            out.empty();
        } else {
            out.number(m.auxIndex());
        }
        out.raw(IntLists.pack(widened(m.stateIndices()), Width.INT32)).number(m.requiredPeers());
        if (m.prefixTokens() > 0) {
            out.number(m.prefixTokens());
        } else {
            out.empty();
        }
        return out.with(m.extras());
    }

    private static long[][] widened(int[][] lists) {
        return Arrays.stream(lists)
                .map(list -> Arrays.stream(list).asLongStream().toArray())
                .toArray(long[][]::new);
    }

    private static byte[] bigEndian(int value) {
        return new byte[] {(byte) (value >>> 24), (byte) (value >>> 16), (byte) (value >>> 8), (byte) value};
    }

    private static boolean startsWith(List<byte[]> frames, byte[] first) {
        return !frames.isEmpty() && Arrays.equals(frames.getFirst(), first);
    }

    private static FrameException unknown(List<byte[]> frames) {
        return new FrameException(
                Reason.UNKNOWN,
                frames.isEmpty()
                        ? "message without frames"
                        : "message with a first frame of " + frames.getFirst().length
                                + " bytes that this side does not know");
    }
}
