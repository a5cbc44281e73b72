package io.weft.backend.libfabric.ofi;

import io.weft.ffi.CStruct;
import io.weft.ffi.Foreign;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;

/**
 * {@code struct fi_domain_attr} up to the fields that 1.17 and 2.x share; the library allocates it, so its later growth does not
 * matter here.
 */
final class FiDomainAttr {
    static final StructLayout LAYOUT = CStruct.named("fi_domain_attr")
            .pointers("domain", "name")
            .ints("threading", "control_progress", "data_progress", "resource_mgmt", "av_type", "mr_mode")
            .longs("mr_key_size", "cq_data_size", "cq_cnt", "ep_cnt", "tx_ctx_cnt", "rx_ctx_cnt")
            .longs("max_ep_tx_ctx", "max_ep_rx_ctx", "max_ep_stx_ctx", "max_ep_srx_ctx", "cntr_cnt", "mr_iov_limit")
            .longs("caps", "mode")
            .pointers("auth_key")
            .longs("auth_key_size", "max_err_data", "mr_cnt")
            .build();

    private static final long NAME = CStruct.offset(LAYOUT, "name");
    private static final long THREADING = CStruct.offset(LAYOUT, "threading");
    private static final long DATA_PROGRESS = CStruct.offset(LAYOUT, "data_progress");
    private static final long MR_MODE = CStruct.offset(LAYOUT, "mr_mode");
    private static final long MR_KEY_SIZE = CStruct.offset(LAYOUT, "mr_key_size");
    private static final long EP_CNT = CStruct.offset(LAYOUT, "ep_cnt");
    private static final long MR_CNT = CStruct.offset(LAYOUT, "mr_cnt");
    private static final int NAME_BYTES = 256;

    private FiDomainAttr() {}

    static String name(MemorySegment attr) {
        return Foreign.string(attr.get(ValueLayout.ADDRESS, NAME), NAME_BYTES);
    }

    static void name(MemorySegment attr, MemorySegment text) {
        attr.set(ValueLayout.ADDRESS, NAME, text);
    }

    static int threading(MemorySegment attr) {
        return attr.get(ValueLayout.JAVA_INT, THREADING);
    }

    static void threading(MemorySegment attr, int value) {
        attr.set(ValueLayout.JAVA_INT, THREADING, value);
    }

    static int dataProgress(MemorySegment attr) {
        return attr.get(ValueLayout.JAVA_INT, DATA_PROGRESS);
    }

    static int mrMode(MemorySegment attr) {
        return attr.get(ValueLayout.JAVA_INT, MR_MODE);
    }

    static void mrMode(MemorySegment attr, int value) {
        attr.set(ValueLayout.JAVA_INT, MR_MODE, value);
    }

    static long mrKeySize(MemorySegment attr) {
        return attr.get(ValueLayout.JAVA_LONG, MR_KEY_SIZE);
    }

    static long epCount(MemorySegment attr) {
        return attr.get(ValueLayout.JAVA_LONG, EP_CNT);
    }

    static long mrCount(MemorySegment attr) {
        return attr.get(ValueLayout.JAVA_LONG, MR_CNT);
    }
}
