package io.weft.backend.rdma;

import io.weft.api.Access;
import io.weft.api.ErrorCode;
import io.weft.api.WeftException;
import io.weft.backend.rdma.verbs.Ibv;
import io.weft.backend.rdma.verbs.VerbsException;
import io.weft.ffi.Errno;
import io.weft.spi.LocalMemory;
import io.weft.spi.MemorySpec;
import java.util.Set;

/**
 * A registered region. Immutable; safe from any thread.
 *
 * @param spec what was registered
 * @param mr the registration
 */
record Region(MemorySpec spec, Ibv.Mr mr) implements LocalMemory {
    static final int LOCAL_WRITE = 1;
    static final int REMOTE_WRITE = 2;
    static final int REMOTE_READ = 4;

    static Region register(RdmaDevice device, Sysfs sysfs, MemorySpec spec) {
        try {
            return new Region(
                    spec, device.ibv().regMr(device.pd(), spec.address(), spec.length(), rights(spec.access())));
        } catch (VerbsException refused) {
            long limit = sysfs.lockedMemoryLimit();
            throw new WeftException(
                    codeOf(refused.errno()),
                    "rdma: registering " + spec.length() + " bytes on " + device.name() + ": " + refused.getMessage()
                            + "; locked memory is limited to " + (limit < 0 ? "nothing" : limit + " bytes")
                            + " (ulimit -l, LimitMEMLOCK), the device allows "
                            + device.facts().maxMr() + " regions",
                    refused.errno(),
                    refused);
        }
    }

    private static ErrorCode codeOf(int errno) {
        return switch (errno) {
            case Errno.EPERM, Errno.EACCES -> ErrorCode.PERMISSION;
            case Errno.EINVAL -> ErrorCode.INVALID_ARGUMENT;
            default -> ErrorCode.RESOURCE_EXHAUSTED;
        };
    }

    /** Remote write needs local write, by the rules of verbs. */
    static int rights(Set<Access> access) {
        int rights = 0;
        if (access.contains(Access.LOCAL_WRITE) || access.contains(Access.REMOTE_WRITE)) {
            rights |= LOCAL_WRITE;
        }
        if (access.contains(Access.REMOTE_WRITE)) {
            rights |= REMOTE_WRITE;
        }
        if (access.contains(Access.REMOTE_READ)) {
            rights |= REMOTE_READ;
        }
        return rights;
    }
}
