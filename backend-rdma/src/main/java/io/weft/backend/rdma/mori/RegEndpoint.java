package io.weft.backend.rdma.mori;

import java.io.IOException;
import org.msgpack.core.MessageBufferPacker;

/**
 * Type 0: the sender's queue pair for the receiver to join one of its own to. Decoding takes the layouts of all releases from 1.1 on.
 *
 * @param engineKey the sender's wire key
 * @param initiatorSide where the initiator's memory lies
 * @param targetSide where the target's memory lies
 * @param device index of the sender's device, which the other side only echoes
 * @param psn first packet sequence number, always 0 from MORI
 * @param qpn queue pair number
 * @param port the sender's port
 * @param lid 0 on Ethernet
 * @param gid 16 bytes
 * @param mac 6 bytes, ignored by all; zeros from here
 * @param nicRank which of several NICs, 0 for the first
 * @param railId signed; -1 for none
 */
public record RegEndpoint(
        String engineKey,
        Topology initiatorSide,
        Topology targetSide,
        int device,
        int psn,
        int qpn,
        int port,
        int lid,
        byte[] gid,
        byte[] mac,
        int nicRank,
        int railId)
        implements ControlFrame {
    /** The type byte. */
    public static final byte TYPE = 0;

    private static final int MOST_FIELDS = 64;

    /**
     * Where memory lies; all signed.
     *
     * @param deviceId index of a GPU, -1 for host memory
     * @param location MORI's memory location: 1 host, 2 GPU
     * @param numaNode -1 if unknown
     */
    public record Topology(int deviceId, int location, int numaNode) {
        /** Host memory on an unknown node. */
        public static final Topology HOST = new Topology(-1, 1, -1);

        private void pack(MessageBufferPacker out) throws IOException {
            out.packArrayHeader(3).packInt(deviceId).packInt(location).packInt(numaNode);
        }

        private static Topology unpack(BodyReader in) {
            int fields = in.array("a topology key", 2, MOST_FIELDS);
            Topology key = new Topology(in.int32("deviceId"), in.int32("loc"), fields > 2 ? in.int32("numaNode") : -1);
            in.skip(Math.max(0, fields - 3));
            return key;
        }
    }

    @Override
    public byte type() {
        return TYPE;
    }

    @Override
    public void packBody(MessageBufferPacker out) throws IOException {
        out.packArrayHeader(6).packString(engineKey).packArrayHeader(2);
        initiatorSide.pack(out);
        targetSide.pack(out);
        out.packInt(device);
        out.packArrayHeader(5).packLong(Integer.toUnsignedLong(psn)).packLong(Integer.toUnsignedLong(qpn));
        out.packInt(port).packArrayHeader(1).packInt(lid);
        out.packArrayHeader(2).packBinaryHeader(gid.length).writePayload(gid);
        out.packBinaryHeader(mac.length).writePayload(mac);
        out.packInt(nicRank).packInt(railId);
    }

    static RegEndpoint unpack(BodyReader in) {
        int fields = in.array("RegEndpoint", 4, MOST_FIELDS);
        String key = in.text("the engine key");
        in.array("the topology pair", 2, 2);
        Topology initiatorSide = Topology.unpack(in);
        Topology targetSide = Topology.unpack(in);
        int device = in.int32("the device index");
        in.array("the endpoint handle", 5, 5);
        int psn = in.uint32("psn");
        int qpn = in.uint32("qpn");
        int port = in.uint32("portId");
        in.array("the InfiniBand handle", 1, 1);
        int lid = in.uint32("lid");
        in.array("the Ethernet handle", 2, 2);
        byte[] gid = in.bytes("gid", 16);
        byte[] mac = in.bytes("mac", 6);
        int nicRank = fields > 4 ? in.int32("nicRank") : 0;
        int railId = fields > 5 ? in.int32("railId") : -1;
        in.skip(Math.max(0, fields - 6));
        return new RegEndpoint(key, initiatorSide, targetSide, device, psn, qpn, port, lid, gid, mac, nicRank, railId);
    }
}
