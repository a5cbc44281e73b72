package io.weft.backend.rdma;

import io.weft.api.ErrorCode;
import io.weft.api.WeftException;
import io.weft.backend.rdma.mori.RegEndpoint;
import io.weft.backend.rdma.mori.RegEndpoint.Topology;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What two sides tell each other of the queue pairs between them, over core's control connection. Both have as many, and each is joined to
 * the other side's of the same place in the list.
 *
 * @param ends the queue pairs, 1 to {@link #MOST_ENDS}
 * @param gid 16 bytes
 * @param lid 0 on Ethernet
 * @param mtu an {@code IBV_MTU_*} value
 * @param readsIn reads that this side answers at once
 * @param readsOut reads that this side has outstanding
 * @param ethernet whether the port is RoCE
 * @param id names the queue pairs when they are to be closed; 0 in a request
 * @param hello address of a few bytes that may be read; 0 in a request
 * @param helloKey their rkey; 0 in a request
 */
record QpAddress(
        List<End> ends,
        byte[] gid,
        int lid,
        int mtu,
        int readsIn,
        int readsOut,
        boolean ethernet,
        long id,
        long hello,
        int helloKey) {
    /**
     * One queue pair's end.
     *
     * @param number queue pair number
     * @param psn first packet sequence number
     */
    record End(int number, int psn) {}

    static final int MOST_ENDS = 64;
    private static final byte VERSION = 2;
    static final byte OPEN = 1;
    static final byte CLOSE = 2;
    private static final int GID_BYTES = 16;
    /** Reads at once that a peer is taken to bear when it does not say; this side's own limit counts then. */
    private static final int MOST = 255;

    private static final int END_BYTES = 4 + 4;
    private static final int BYTES = 2 + 16 + 4 + 5 + 8 + 8 + 4;

    byte[] encode() {
        ByteBuffer out = ByteBuffer.allocate(BYTES + ends.size() * END_BYTES)
                .put(VERSION)
                .put(OPEN)
                .put(gid)
                .putInt(lid)
                .put((byte) mtu)
                .put((byte) readsIn)
                .put((byte) readsOut)
                .put((byte) (ethernet ? 1 : 0))
                .put((byte) ends.size())
                .putLong(id)
                .putLong(hello)
                .putInt(helloKey);
        for (End end : ends) {
            out.putInt(end.number).putInt(end.psn);
        }
        return out.array();
    }

    static QpAddress decode(byte[] bytes) {
        ByteBuffer in = begin(bytes, OPEN);
        if (bytes.length < BYTES) {
            throw malformed(bytes.length);
        }
        byte[] gid = new byte[16];
        in.get(gid);
        int lid = in.getInt();
        int mtu = in.get();
        int readsIn = Byte.toUnsignedInt(in.get());
        int readsOut = Byte.toUnsignedInt(in.get());
        boolean ethernet = in.get() == 1;
        int count = in.get();
        if (mtu < 1 || mtu > 5 || readsIn == 0 || readsOut == 0) {
            throw malformed(bytes.length);
        }
        if (count < 1 || count > MOST_ENDS || bytes.length != BYTES + count * END_BYTES) {
            throw malformed(bytes.length);
        }
        long id = in.getLong();
        long hello = in.getLong();
        int helloKey = in.getInt();
        List<End> ends = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            ends.add(new End(in.getInt(), in.getInt()));
        }
        return new QpAddress(ends, gid, lid, mtu, readsIn, readsOut, ethernet, id, hello, helloKey);
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
        List<End> end = List.of(new End(endpoint.qpn(), endpoint.psn()));
        return new QpAddress(end, endpoint.gid(), endpoint.lid(), mtu, MOST, MOST, ethernet, 0, 0, 0);
    }

    /** The same in MORI's words, which have one queue pair a request. */
    RegEndpoint asPlain(String engineKey, Topology initiatorSide, Topology targetSide, int port, int device) {
        byte[] mac = new byte[6];
        End one = ends.getFirst();
        return new RegEndpoint(
                engineKey, initiatorSide, targetSide, device, one.psn, one.number, port, lid, gid, mac, 0, device);
    }

    private static WeftException malformed(int length) {
        return new WeftException(ErrorCode.PROTOCOL, "rdma: the peer's message of " + length + " bytes cannot be read");
    }
}
