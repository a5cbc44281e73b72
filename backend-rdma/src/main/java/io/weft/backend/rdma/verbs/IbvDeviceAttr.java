package io.weft.backend.rdma.verbs;

import io.weft.ffi.CStruct;
import io.weft.ffi.Foreign;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;

/** {@code struct ibv_device_attr}: what {@code ibv_query_device} tells. */
public final class IbvDeviceAttr {
    /** The layout of rdma-core 44. */
    public static final StructLayout LAYOUT = CStruct.named("ibv_device_attr")
            .byteArray("fw_ver", 64)
            .longs("node_guid", "sys_image_guid", "max_mr_size", "page_size_cap")
            .ints("vendor_id", "vendor_part_id", "hw_ver", "max_qp", "max_qp_wr", "device_cap_flags")
            .ints("max_sge", "max_sge_rd", "max_cq", "max_cqe", "max_mr", "max_pd")
            .ints("max_qp_rd_atom", "max_ee_rd_atom", "max_res_rd_atom", "max_qp_init_rd_atom", "max_ee_init_rd_atom")
            .ints("atomic_cap", "max_ee", "max_rdd", "max_mw", "max_raw_ipv6_qp", "max_raw_ethy_qp")
            .ints("max_mcast_grp", "max_mcast_qp_attach", "max_total_mcast_qp_attach")
            .ints("max_ah", "max_fmr", "max_map_per_fmr", "max_srq", "max_srq_wr", "max_srq_sge")
            .shorts("max_pkeys")
            .bytes("local_ca_ack_delay", "phys_port_cnt")
            .build();

    private static final long MAX_MR_SIZE = CStruct.offset(LAYOUT, "max_mr_size");
    private static final long MAX_QP = CStruct.offset(LAYOUT, "max_qp");
    private static final long MAX_QP_WR = CStruct.offset(LAYOUT, "max_qp_wr");
    private static final long MAX_SGE = CStruct.offset(LAYOUT, "max_sge");
    private static final long MAX_SGE_RD = CStruct.offset(LAYOUT, "max_sge_rd");
    private static final long MAX_CQE = CStruct.offset(LAYOUT, "max_cqe");
    private static final long MAX_MR = CStruct.offset(LAYOUT, "max_mr");
    private static final long MAX_QP_RD_ATOM = CStruct.offset(LAYOUT, "max_qp_rd_atom");
    private static final long MAX_QP_INIT_RD_ATOM = CStruct.offset(LAYOUT, "max_qp_init_rd_atom");
    private static final long PHYS_PORT_CNT = CStruct.offset(LAYOUT, "phys_port_cnt");

    private IbvDeviceAttr() {}

    static String fwVer(MemorySegment struct) {
        return Foreign.string(struct, 64);
    }

    static long maxMrSize(MemorySegment struct) {
        return struct.get(ValueLayout.JAVA_LONG, MAX_MR_SIZE);
    }

    static int maxQp(MemorySegment struct) {
        return struct.get(ValueLayout.JAVA_INT, MAX_QP);
    }

    static int maxQpWr(MemorySegment struct) {
        return struct.get(ValueLayout.JAVA_INT, MAX_QP_WR);
    }

    static int maxSge(MemorySegment struct) {
        return struct.get(ValueLayout.JAVA_INT, MAX_SGE);
    }

    static int maxSgeRd(MemorySegment struct) {
        return struct.get(ValueLayout.JAVA_INT, MAX_SGE_RD);
    }

    static int maxCqe(MemorySegment struct) {
        return struct.get(ValueLayout.JAVA_INT, MAX_CQE);
    }

    static int maxMr(MemorySegment struct) {
        return struct.get(ValueLayout.JAVA_INT, MAX_MR);
    }

    static int maxQpRdAtom(MemorySegment struct) {
        return struct.get(ValueLayout.JAVA_INT, MAX_QP_RD_ATOM);
    }

    static int maxQpInitRdAtom(MemorySegment struct) {
        return struct.get(ValueLayout.JAVA_INT, MAX_QP_INIT_RD_ATOM);
    }

    static int physPortCnt(MemorySegment struct) {
        return Byte.toUnsignedInt(struct.get(ValueLayout.JAVA_BYTE, PHYS_PORT_CNT));
    }
}
