package io.weft.backend.rdma;

import io.weft.api.ErrorCode;
import java.util.List;

/** {@code enum ibv_wc_status} in words, and what it means to an initiator. */
final class WcStatus {
    static final int FLUSHED = 5;
    private static final int REMOTE_INVALID = 9;
    private static final int REMOTE_ACCESS = 10;
    private static final int RETRY_EXCEEDED = 12;
    private static final int RNR_RETRY_EXCEEDED = 13;

    private static final List<String> NAMES = List.of(
            "IBV_WC_SUCCESS: success",
            "IBV_WC_LOC_LEN_ERR: a local length is over what the port takes; this is a defect of the backend, report it",
            "IBV_WC_LOC_QP_OP_ERR: the local queue pair refused the request; look at the driver's log (dmesg)",
            "IBV_WC_LOC_EEC_OP_ERR: local EE context error, which reliable connections do not have",
            "IBV_WC_LOC_PROT_ERR: local protection error, the memory is not registered for this",
            "IBV_WC_WR_FLUSH_ERR: flushed after an earlier error, or the port went down",
            "IBV_WC_MW_BIND_ERR: memory window error, which this backend does not use",
            "IBV_WC_BAD_RESP_ERR: unexpected response; firmware of both NICs may not fit each other",
            "IBV_WC_LOC_ACCESS_ERR: the local memory may not be written; register it with LOCAL_WRITE",
            "IBV_WC_REM_INV_REQ_ERR: the target refused the request as invalid",
            "IBV_WC_REM_ACCESS_ERR: the target refused the access, its region is gone or has other rights",
            "IBV_WC_REM_OP_ERR: the target's NIC could not do it; look at the driver's log there",
            "IBV_WC_RETRY_EXC_ERR: transport retry counter exceeded, the target does not answer; look at link and cables",
            "IBV_WC_RNR_RETRY_EXC_ERR: the target had no receive buffer",
            "IBV_WC_LOC_RDD_VIOL_ERR: reliable datagram domain error, which reliable connections do not have",
            "IBV_WC_REM_INV_RD_REQ_ERR: the target refused a reliable datagram request",
            "IBV_WC_REM_ABORT_ERR: the target aborted the request; look at the driver's log there",
            "IBV_WC_INV_EECN_ERR: invalid EE context number, which reliable connections do not have",
            "IBV_WC_INV_EEC_STATE_ERR: invalid EE context state, which reliable connections do not have",
            "IBV_WC_FATAL_ERR: the NIC failed; look at the driver's log (dmesg)",
            "IBV_WC_RESP_TIMEOUT_ERR: the target did not respond in time; look at link and cables",
            "IBV_WC_GENERAL_ERR: another transport error; the vendor's code tells which",
            "IBV_WC_TM_ERR: tag matching error, which this backend does not use",
            "IBV_WC_TM_RNDV_INCOMPLETE: incomplete rendezvous, which this backend does not use");

    private WcStatus() {}

    static ErrorCode codeOf(int status) {
        return switch (status) {
            case REMOTE_ACCESS, REMOTE_INVALID -> ErrorCode.REMOTE_ACCESS;
            case RETRY_EXCEEDED, RNR_RETRY_EXCEEDED, FLUSHED -> ErrorCode.PEER_LOST;
            default -> ErrorCode.FABRIC;
        };
    }

    static long pack(int status, int vendor) {
        return (long) vendor << 32 | status;
    }

    static String describe(long nativeCode) {
        int status = (int) nativeCode;
        String text = status >= 0 && status < NAMES.size()
                ? NAMES.get(status)
                : "code " + status + ", which is no enum ibv_wc_status: it comes from the driver or from a test";
        int vendor = (int) (nativeCode >>> 32);
        return vendor == 0 ? text : text + " (vendor error 0x" + Integer.toHexString(vendor) + ")";
    }
}
