package io.weft.backend.rdma.verbs;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.weft.ffi.CStruct;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;

/** {@code struct ibv_qp_attr} for the four transitions of a reliable connected queue pair, each with its mask. */
public final class QpAttr {
    private static final StructLayout L = Structs.QP_ATTR;
    private static final long AH = CStruct.offset(L, "ah_attr");

    private static final int STATE = 1;
    private static final int ACCESS = 1 << 3;
    private static final int PKEY = 1 << 4;
    private static final int PORT = 1 << 5;
    private static final int AV = 1 << 7;
    private static final int PATH_MTU = 1 << 8;
    private static final int TIMEOUT = 1 << 9;
    private static final int RETRY = 1 << 10;
    private static final int RNR_RETRY = 1 << 11;
    private static final int RQ_PSN = 1 << 12;
    private static final int RD_ATOMIC = 1 << 13;
    private static final int MIN_RNR = 1 << 15;
    private static final int SQ_PSN = 1 << 16;
    private static final int DEST_RD_ATOMIC = 1 << 17;
    private static final int DEST_QPN = 1 << 20;

    /** Mask of {@link #init}. */
    public static final int INIT_MASK = STATE | PKEY | PORT | ACCESS;
    /** Mask of {@link #readyToReceive}. */
    public static final int RTR_MASK = STATE | AV | PATH_MTU | DEST_QPN | RQ_PSN | DEST_RD_ATOMIC | MIN_RNR;
    /** Mask of {@link #readyToSend}. */
    public static final int RTS_MASK = STATE | TIMEOUT | RETRY | RNR_RETRY | SQ_PSN | RD_ATOMIC;
    /** Mask of {@link #error}. */
    public static final int ERROR_MASK = STATE;

    private QpAttr() {}

    private static MemorySegment state(Arena arena, int state) {
        MemorySegment attr = arena.allocate(L);
        attr.set(JAVA_INT, CStruct.offset(L, "qp_state"), state);
        return attr;
    }

    private static void put(MemorySegment attr, String field, int value) {
        attr.set(JAVA_BYTE, CStruct.offset(L, field), (byte) value);
    }

    /**
     * To INIT.
     *
     * @param arena owner of the attributes
     * @param port this side's port
     * @param access {@code IBV_ACCESS_*} for peers
     * @return the attributes
     */
    public static MemorySegment init(Arena arena, int port, int access) {
        MemorySegment attr = state(arena, 1);
        put(attr, "port_num", port);
        attr.set(JAVA_INT, CStruct.offset(L, "qp_access_flags"), access);
        return attr;
    }

    /**
     * The other end and the way to it.
     *
     * @param number its queue pair number
     * @param psn its first packet sequence number
     * @param gid its GID, 16 bytes
     * @param lid its LID, 0 on Ethernet
     * @param sourceGid index of this side's GID
     * @param port this side's port
     * @param ethernet whether the way is by GID
     * @param trafficClass traffic class of the packets
     * @param serviceLevel service level
     */
    public record Path(
            int number,
            int psn,
            byte[] gid,
            int lid,
            int sourceGid,
            int port,
            boolean ethernet,
            int trafficClass,
            int serviceLevel) {}

    /**
     * To RTR.
     *
     * @param arena owner of the attributes
     * @param path the other end and the way to it
     * @param mtu {@code IBV_MTU_*} of the path
     * @param readsIn reads that peers may have open here
     * @return the attributes
     */
    public static MemorySegment readyToReceive(Arena arena, Path path, int mtu, int readsIn) {
        MemorySegment attr = state(arena, 2);
        attr.set(JAVA_INT, CStruct.offset(L, "path_mtu"), mtu);
        attr.set(JAVA_INT, CStruct.offset(L, "dest_qp_num"), path.number());
        attr.set(JAVA_INT, CStruct.offset(L, "rq_psn"), path.psn());
        put(attr, "max_dest_rd_atomic", readsIn);
        put(attr, "min_rnr_timer", 12);
        MemorySegment ah = attr.asSlice(AH, Structs.AH.byteSize());
        ah.set(JAVA_BYTE, CStruct.offset(Structs.AH, "port_num"), (byte) path.port());
        ah.set(JAVA_BYTE, CStruct.offset(Structs.AH, "sl"), (byte) path.serviceLevel());
        ah.set(JAVA_SHORT, CStruct.offset(Structs.AH, "dlid"), (short) path.lid());
        if (path.ethernet()) {
            MemorySegment.copy(path.gid(), 0, ah, JAVA_BYTE, 0, 16);
            ah.set(JAVA_BYTE, CStruct.offset(Structs.AH, "is_global"), (byte) 1);
            ah.set(JAVA_BYTE, CStruct.offset(Structs.AH, "sgid_index"), (byte) path.sourceGid());
            ah.set(JAVA_BYTE, CStruct.offset(Structs.AH, "hop_limit"), (byte) 64);
            ah.set(JAVA_BYTE, CStruct.offset(Structs.AH, "traffic_class"), (byte) path.trafficClass());
        }
        return attr;
    }

    /**
     * To RTS.
     *
     * @param arena owner of the attributes
     * @param psn this side's first packet sequence number
     * @param timeout exponent of the acknowledgement timeout, 4.096 µs x 2^timeout
     * @param retries repeats without acknowledgement, under 7
     * @param rnrRetries repeats while the receiver is not ready, under 7
     * @param readsOut reads open at the peer, at most
     * @return the attributes
     */
    public static MemorySegment readyToSend(
            Arena arena, int psn, int timeout, int retries, int rnrRetries, int readsOut) {
        MemorySegment attr = state(arena, 3);
        attr.set(JAVA_INT, CStruct.offset(L, "sq_psn"), psn);
        put(attr, "timeout", timeout);
        put(attr, "retry_cnt", retries);
        put(attr, "rnr_retry", rnrRetries);
        put(attr, "max_rd_atomic", readsOut);
        return attr;
    }

    /**
     * To ERR: everything posted completes as flushed.
     *
     * @param arena owner of the attributes
     * @return the attributes
     */
    public static MemorySegment error(Arena arena) {
        return state(arena, 6);
    }
}
