package io.weft.backend.rdma.verbs;

import io.weft.ffi.CStruct;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;

/**
 * {@code struct ibv_port_attr}. The exported {@code ibv_query_port} fills the older struct, which is a prefix of this one up to
 * {@code flags}; nothing after it is read here.
 */
public final class IbvPortAttr {
    /** The layout of rdma-core 44. */
    public static final StructLayout LAYOUT = CStruct.named("ibv_port_attr")
            .ints("state", "max_mtu", "active_mtu", "gid_tbl_len", "port_cap_flags", "max_msg_sz")
            .ints("bad_pkey_cntr", "qkey_viol_cntr")
            .shorts("pkey_tbl_len", "lid", "sm_lid")
            .bytes("lmc", "max_vl_num", "sm_sl", "subnet_timeout", "init_type_reply", "active_width", "active_speed")
            .bytes("phys_state", "link_layer", "flags")
            .shorts("port_cap_flags2")
            .build();

    /** {@code IBV_PORT_ACTIVE}. */
    public static final int STATE_ACTIVE = 4;
    /** {@code IBV_LINK_LAYER_ETHERNET}. */
    public static final int LINK_ETHERNET = 2;

    private static final long STATE = CStruct.offset(LAYOUT, "state");
    private static final long ACTIVE_MTU = CStruct.offset(LAYOUT, "active_mtu");
    private static final long GID_TBL_LEN = CStruct.offset(LAYOUT, "gid_tbl_len");
    private static final long MAX_MSG_SZ = CStruct.offset(LAYOUT, "max_msg_sz");
    private static final long LID = CStruct.offset(LAYOUT, "lid");
    private static final long LINK_LAYER = CStruct.offset(LAYOUT, "link_layer");

    private IbvPortAttr() {}

    static int state(MemorySegment struct) {
        return struct.get(ValueLayout.JAVA_INT, STATE);
    }

    static int activeMtu(MemorySegment struct) {
        return struct.get(ValueLayout.JAVA_INT, ACTIVE_MTU);
    }

    static int gidTableLength(MemorySegment struct) {
        return struct.get(ValueLayout.JAVA_INT, GID_TBL_LEN);
    }

    static int maxMessageBytes(MemorySegment struct) {
        return struct.get(ValueLayout.JAVA_INT, MAX_MSG_SZ);
    }

    static int lid(MemorySegment struct) {
        return Short.toUnsignedInt(struct.get(ValueLayout.JAVA_SHORT, LID));
    }

    static int linkLayer(MemorySegment struct) {
        return Byte.toUnsignedInt(struct.get(ValueLayout.JAVA_BYTE, LINK_LAYER));
    }
}
