package io.weft.backend.rdma.verbs;

import io.weft.ffi.CStruct;
import java.lang.foreign.StructLayout;

/** Layouts of rdma-core 44: heads of the library's objects, and structs that are filled field by field. */
final class Structs {
    static final StructLayout MR = CStruct.named("ibv_mr")
            .pointers("context", "pd", "addr")
            .longs("length")
            .ints("handle", "lkey", "rkey")
            .build();
    static final StructLayout CHANNEL = CStruct.named("ibv_comp_channel")
            .pointers("context")
            .ints("fd", "refcnt")
            .build();
    /** Up to the number. */
    static final StructLayout QP = CStruct.named("ibv_qp")
            .pointers("context", "qp_context", "pd", "send_cq", "recv_cq", "srq")
            .ints("handle", "qp_num")
            .build();
    /** Up to the last field in use. */
    static final StructLayout CONTEXT = CStruct.named("ibv_context")
            .pointers("device")
            .pointers("query_device", "query_port", "alloc_pd", "dealloc_pd", "reg_mr", "rereg_mr", "dereg_mr")
            .pointers("alloc_mw", "bind_mw", "dealloc_mw", "create_cq", "poll_cq", "req_notify_cq", "cq_event")
            .pointers("resize_cq", "destroy_cq", "create_srq", "modify_srq", "query_srq", "destroy_srq")
            .pointers("post_srq_recv", "create_qp", "query_qp", "modify_qp", "destroy_qp", "post_send", "post_recv")
            .pointers("create_ah", "destroy_ah", "attach_mcast", "detach_mcast", "async_event")
            .ints("cmd_fd", "async_fd")
            .build();
    /** {@code element} is a pointer, or a port's number in the first of its bytes. */
    static final StructLayout ASYNC_EVENT = CStruct.named("ibv_async_event")
            .longs("element")
            .ints("event_type")
            .byteArray("room", 4)
            .build();
    /** {@code cap} is written out. */
    static final StructLayout QP_INIT_ATTR = CStruct.named("ibv_qp_init_attr")
            .pointers("qp_context", "send_cq", "recv_cq", "srq")
            .ints("max_send_wr", "max_recv_wr", "max_send_sge", "max_recv_sge", "max_inline_data")
            .ints("qp_type", "sq_sig_all")
            .build();

    private static final StructLayout AH_ATTR = CStruct.named("ibv_ah_attr")
            .longs("dgid_prefix", "dgid_interface")
            .ints("flow_label")
            .bytes("sgid_index", "hop_limit", "traffic_class")
            .shorts("dlid")
            .bytes("sl", "src_path_bits", "static_rate", "is_global", "port_num")
            .build();
    static final StructLayout AH = AH_ATTR;
    static final StructLayout QP_ATTR = CStruct.named("ibv_qp_attr")
            .ints("qp_state", "cur_qp_state", "path_mtu", "path_mig_state", "qkey", "rq_psn", "sq_psn", "dest_qp_num")
            .ints("qp_access_flags")
            .ints("max_send_wr", "max_recv_wr", "max_send_sge", "max_recv_sge", "max_inline_data")
            .field("ah_attr", AH_ATTR)
            .field("alt_ah_attr", AH_ATTR)
            .shorts("pkey_index", "alt_pkey_index")
            .bytes("en_sqd_async_notify", "sq_draining", "max_rd_atomic", "max_dest_rd_atomic", "min_rnr_timer")
            .bytes("port_num", "timeout", "retry_cnt", "rnr_retry", "alt_port_num", "alt_timeout")
            .ints("rate_limit")
            .build();
    static final StructLayout SGE =
            CStruct.named("ibv_sge").longs("addr").ints("length", "lkey").build();
    /** The union {@code wr} in its form for remote memory access; the rest of it and what follows is room. */
    static final StructLayout SEND_WR = CStruct.named("ibv_send_wr")
            .longs("wr_id")
            .pointers("next", "sg_list")
            .ints("num_sge", "opcode", "send_flags", "imm_data")
            .longs("remote_addr")
            .ints("rkey")
            .byteArray("room", 76)
            .build();

    static final StructLayout RECV_WR = CStruct.named("ibv_recv_wr")
            .longs("wr_id")
            .pointers("next", "sg_list")
            .ints("num_sge")
            .build();
    static final StructLayout WC = CStruct.named("ibv_wc")
            .longs("wr_id")
            .ints("status", "opcode", "vendor_err", "byte_len", "imm_data", "qp_num", "src_qp", "wc_flags")
            .shorts("pkey_index", "slid")
            .bytes("sl", "dlid_path_bits")
            .build();

    private Structs() {}
}
