package io.weft.backend.libfabric;

import io.weft.api.ErrorCode;
import io.weft.backend.libfabric.ofi.Ofi;

/** Native codes of completions: the libfabric error in the low 32 bits, the provider's own number in the high ones. */
final class NativeCodes {
    private static final int EPERM = 1;
    private static final int ENOMEM = 12;
    private static final int EACCES = 13;
    private static final int EINVAL = 22;
    private static final int ENOSYS = 38;
    private static final int EMSGSIZE = 90;
    private static final int ENETUNREACH = 101;
    private static final int ECONNABORTED = 103;
    private static final int ECONNRESET = 104;
    private static final int ENOTCONN = 107;
    private static final int ESHUTDOWN = 108;
    private static final int ETIMEDOUT = 110;
    private static final int ECONNREFUSED = 111;
    private static final int EHOSTUNREACH = 113;
    private static final int ECANCELED = 125;
    private static final int EKEYREJECTED = 129;
    private static final int ENOKEY = 266;

    private NativeCodes() {}

    static long pack(int error, int providerErrno) {
        return (long) providerErrno << 32 | error & 0xffff_ffffL;
    }

    static int error(long nativeCode) {
        return (int) nativeCode;
    }

    static String describe(Ofi ofi, long nativeCode) {
        int error = error(nativeCode);
        int provider = (int) (nativeCode >>> 32);
        return "libfabric error " + error + ": " + ofi.strError(error)
                + (provider == 0 ? "" : ", provider errno " + provider);
    }

    /** What a failed operation or call means to the initiator. */
    static ErrorCode codeOf(int error) {
        return switch (error) {
            case EACCES, EPERM, EKEYREJECTED, ENOKEY -> ErrorCode.REMOTE_ACCESS;
            case ECANCELED,
                    ENOTCONN,
                    ECONNRESET,
                    ECONNABORTED,
                    ECONNREFUSED,
                    ESHUTDOWN,
                    ETIMEDOUT,
                    EHOSTUNREACH,
                    ENETUNREACH -> ErrorCode.PEER_LOST;
            case ENOMEM -> ErrorCode.RESOURCE_EXHAUSTED;
            default -> ErrorCode.FABRIC;
        };
    }

    /** What a refused registration means (rule REG-6). */
    static ErrorCode ofRegistration(int error) {
        return switch (error) {
            case EPERM, EACCES -> ErrorCode.PERMISSION;
            case EINVAL, EMSGSIZE -> ErrorCode.INVALID_ARGUMENT;
            case ENOSYS -> ErrorCode.UNSUPPORTED;
            default -> ErrorCode.RESOURCE_EXHAUSTED;
        };
    }
}
