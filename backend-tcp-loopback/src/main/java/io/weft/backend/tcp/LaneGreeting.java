package io.weft.backend.tcp;

import io.weft.api.ErrorCode;
import io.weft.api.WeftException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * How a link comes up: one question over the control connection, then one frame each way on every lane, with proofs that bind
 * the lane to the control connection (rule SEC-3). Layouts in {@code docs/tcp.md}.
 */
final class LaneGreeting {
    static final int NONCE_BYTES = 16;
    static final int HELLO_FIXED_BYTES = 18;
    static final int ANSWER_FIXED_BYTES = 8;
    static final int MAX_KEY_BYTES = 1_024;
    static final int MAX_PROOF_BYTES = 256;
    /** {@link #proofContext}: who proves. */
    static final byte INITIATOR = 'I';
    /** {@link #proofContext}: who proves. */
    static final byte TARGET = 'T';

    private static final byte[] PURPOSE = "weft-tcp-lane/1".getBytes(StandardCharsets.US_ASCII);
    private static final byte OPEN = 1;

    private LaneGreeting() {}

    /**
     * The question over the control connection and, with the target's values, its answer.
     *
     * @param version lane protocol
     * @param lanes how many
     * @param chunkBytes largest chunk
     * @param linkId names the link
     * @param nonce random
     */
    record Open(int version, int lanes, int chunkBytes, long linkId, byte[] nonce) {
        byte[] encode() {
            return ByteBuffer.allocate(16 + NONCE_BYTES)
                    .put(OPEN)
                    .put((byte) version)
                    .put((byte) lanes)
                    .put((byte) 0)
                    .putInt(chunkBytes)
                    .putLong(linkId)
                    .put(nonce)
                    .array();
        }

        static Open decode(byte[] bytes) {
            try {
                ByteBuffer in = ByteBuffer.wrap(bytes);
                byte kind = in.get();
                int version = Byte.toUnsignedInt(in.get());
                int lanes = Byte.toUnsignedInt(in.get());
                in.get();
                int chunkBytes = in.getInt();
                long linkId = in.getLong();
                byte[] nonce = new byte[NONCE_BYTES];
                in.get(nonce);
                if (kind != OPEN
                        || lanes < 1
                        || lanes > LaneWire.MAX_LANES
                        || chunkBytes < LaneWire.MIN_CHUNK
                        || chunkBytes > LaneWire.MAX_CHUNK) {
                    throw new WeftException(
                            ErrorCode.PROTOCOL,
                            "tcp link request of kind " + kind + " with " + lanes + " lanes and chunks of " + chunkBytes
                                    + " bytes");
                }
                return new Open(version, lanes, chunkBytes, linkId, nonce);
            } catch (BufferUnderflowException truncated) {
                throw new WeftException(
                        ErrorCode.PROTOCOL, "tcp link request of only " + bytes.length + " bytes", truncated);
            }
        }
    }

    /** What both proofs of a lane are about; differs for each lane of each link. */
    static byte[] proofContext(byte who, long linkId, int lane, byte[] initiatorNonce, byte[] targetNonce) {
        return ByteBuffer.allocate(PURPOSE.length + 10 + 2 * NONCE_BYTES)
                .put(PURPOSE)
                .put(who)
                .putLong(linkId)
                .put((byte) lane)
                .put(initiatorNonce)
                .put(targetNonce)
                .array();
    }

    /**
     * First frame of a lane.
     *
     * @param lane which
     * @param linkId of which link
     * @param key the initiator's wire key
     * @param proof the initiator's
     */
    record Hello(int lane, long linkId, String key, byte[] proof) {
        ByteBuffer encode() {
            byte[] keyBytes = key.getBytes(StandardCharsets.UTF_8);
            return ByteBuffer.allocate(HELLO_FIXED_BYTES + keyBytes.length + proof.length)
                    .putInt(LaneWire.MAGIC)
                    .put((byte) LaneWire.VERSION)
                    .put((byte) lane)
                    .putShort((short) keyBytes.length)
                    .putLong(linkId)
                    .putShort((short) proof.length)
                    .put(keyBytes)
                    .put(proof)
                    .flip();
        }

        /** Null as long as bytes are missing. */
        static @Nullable Hello decode(ByteBuffer in) throws ProtocolException {
            if (in.remaining() < HELLO_FIXED_BYTES) {
                return null;
            }
            int at = in.position();
            int keyBytes = Short.toUnsignedInt(in.getShort(at + 6));
            int proofBytes = Short.toUnsignedInt(in.getShort(at + 16));
            checkFrame(in, at);
            if (keyBytes < 1 || keyBytes > MAX_KEY_BYTES || proofBytes > MAX_PROOF_BYTES) {
                throw new ProtocolException(
                        "lane hello with a key of " + keyBytes + " and a proof of " + proofBytes + " bytes");
            }
            if (in.remaining() < HELLO_FIXED_BYTES + keyBytes + proofBytes) {
                return null;
            }
            int lane = Byte.toUnsignedInt(in.get(at + 5));
            long linkId = in.getLong(at + 8);
            byte[] key = new byte[keyBytes];
            byte[] proof = new byte[proofBytes];
            in.position(at + HELLO_FIXED_BYTES);
            in.get(key).get(proof);
            return new Hello(lane, linkId, new String(key, StandardCharsets.UTF_8), proof);
        }
    }

    static ByteBuffer encodeAnswer(byte[] proof) {
        return ByteBuffer.allocate(ANSWER_FIXED_BYTES + proof.length)
                .putInt(LaneWire.MAGIC)
                .put((byte) LaneWire.VERSION)
                .put((byte) 0)
                .putShort((short) proof.length)
                .put(proof)
                .flip();
    }

    /** The target's proof, null as long as bytes are missing. */
    static byte @Nullable [] decodeAnswer(ByteBuffer in) throws ProtocolException {
        if (in.remaining() < ANSWER_FIXED_BYTES) {
            return null;
        }
        int at = in.position();
        checkFrame(in, at);
        int proofBytes = Short.toUnsignedInt(in.getShort(at + 6));
        if (proofBytes > MAX_PROOF_BYTES) {
            throw new ProtocolException("lane answer with a proof of " + proofBytes + " bytes");
        }
        if (in.remaining() < ANSWER_FIXED_BYTES + proofBytes) {
            return null;
        }
        byte[] proof = new byte[proofBytes];
        in.position(at + ANSWER_FIXED_BYTES);
        in.get(proof);
        return proof;
    }

    private static void checkFrame(ByteBuffer in, int at) throws ProtocolException {
        if (in.getInt(at) != LaneWire.MAGIC || in.get(at + 4) != LaneWire.VERSION) {
            throw new ProtocolException(
                    "lane frame with magic " + Integer.toHexString(in.getInt(at)) + " version " + in.get(at + 4));
        }
    }
}
