package io.weft.backend.rdma;

import io.weft.api.ErrorCode;
import io.weft.api.WeftException;
import io.weft.backend.rdma.mori.RegEndpoint;
import io.weft.backend.rdma.mori.RegEndpoint.Topology;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * What two sides tell each other of a queue pair, over core's control connection.
 *
 * @param number queue pair number
 * @param psn first packet sequence number
 * @param gid 16 bytes
 * @param lid 0 on Ethernet
 * @param mtu an {@code IBV_MTU_*} value
 * @param readsIn reads that this side answers at once
 * @param readsOut reads that this side has outstanding
 * @param ethernet whether the port is RoCE
 * @param id names the queue pair when it is to be closed; 0 in a request
 * @param hello address of a few bytes that may be read; 0 in a request
 * @param helloKey their rkey; 0 in a request
 */
record QpAddress(
        int number,
        int psn,
        byte[] gid,
        int lid,
        int mtu,
        int readsIn,
        int readsOut,
        boolean ethernet,
        long id,
        long hello,
        int helloKey) {
    private static final byte VERSION = 1;
    static final byte OPEN = 1;
    static final byte CLOSE = 2;
    private static final int GID_BYTES = 16;
    /** Reads at once that a peer is taken to bear when it does not say; this side's own limit counts then. */
    private static final int MOST = 255;

    private static final int BYTES = 2 + 4 + 4 + 16 + 4 + 5 + 8 + 8 + 4;

    byte[] encode() {
        return ByteBuffer.allocate(BYTES)
                .put(VERSION)
                .put(OPEN)
                .putInt(number)
                .putInt(psn)
                .put(gid)
                .putInt(lid)
                .put((byte) mtu)
                .put((byte) readsIn)
                .put((byte) readsOut)
                .put((byte) (ethernet ? 1 : 0))
                .put((byte) 0)
                .putLong(id)
                .putLong(hello)
                .putInt(helloKey)
                .array();
    }

    static QpAddress decode(byte[] bytes) {
        ByteBuffer in = begin(bytes, OPEN);
        if (bytes.length != BYTES) {
            throw malformed(bytes.length);
        }
        int number = in.getInt();
        int psn = in.getInt();
        byte[] gid = new byte[16];
        in.get(gid);
        int lid = in.getInt();
        int mtu = in.get();
        int readsIn = Byte.toUnsignedInt(in.get());
        int readsOut = Byte.toUnsignedInt(in.get());
        boolean ethernet = in.get() == 1;
        in.get();
        if (mtu < 1 || mtu > 5 || readsIn == 0 || readsOut == 0) {
            throw malformed(bytes.length);
        }
        return new QpAddress(
                number, psn, gid, lid, mtu, readsIn, readsOut, ethernet, in.getLong(), in.getLong(), in.getInt());
    }

    static byte[] encodeClose(long id) {
        return ByteBuffer.allocate(10).put(VERSION).put(CLOSE).putLong(id).array();
    }

    static long decodeClose(byte[] bytes) {
        try {
            return begin(bytes, CLOSE).getLong();
        } catch (BufferUnderflowException truncated) {
            throw malformed(bytes.length);
        }
    }

    private static ByteBuffer begin(byte[] bytes, byte type) {
        if (bytes.length < 2) {
            throw malformed(bytes.length);
        }
        if (bytes[0] != VERSION) {
            throw new WeftException(
                    ErrorCode.INCOMPATIBLE,
                    "rdma: the peer's message has version " + bytes[0] + ", this side speaks " + VERSION);
        }
        if (bytes[1] != type) {
            throw malformed(bytes.length);
        }
        return ByteBuffer.wrap(bytes).position(2);
    }

    /** What a plain MORI-IO engine tells, which leaves out what this side then has to take from its own port. */
    static QpAddress ofPlain(RegEndpoint endpoint, RdmaDevice device) {
        boolean ethernet = device.port().ethernet();
        if (ethernet ? Arrays.equals(endpoint.gid(), new byte[GID_BYTES]) : endpoint.lid() == 0) {
            throw new WeftException(
                    ErrorCode.INCOMPATIBLE,
                    "rdma: MORI-IO engine " + endpoint.engineKey() + " tells no " + (ethernet ? "GID" : "LID")
                            + ", and this side's port is on " + (ethernet ? "Ethernet" : "InfiniBand"));
        }
        int mtu = device.port().activeMtu();
        return new QpAddress(
                endpoint.qpn(), endpoint.psn(), endpoint.gid(), endpoint.lid(), mtu, MOST, MOST, ethernet, 0, 0, 0);
    }

    /** The same in MORI's words. */
    RegEndpoint asPlain(String engineKey, Topology initiatorSide, Topology targetSide, int port, int device) {
        byte[] mac = new byte[6];
        return new RegEndpoint(
                engineKey, initiatorSide, targetSide, device, psn, number, port, lid, gid, mac, 0, device);
    }

    private static WeftException malformed(int length) {
        return new WeftException(ErrorCode.PROTOCOL, "rdma: the peer's message of " + length + " bytes cannot be read");
    }
}
