package io.weft.backend.rdma;

import io.weft.api.Access;
import io.weft.api.ErrorCode;
import io.weft.api.WeftException;
import io.weft.backend.rdma.verbs.Ibv;
import io.weft.backend.rdma.verbs.VerbsException;
import io.weft.ffi.Errno;
import io.weft.spi.DmaBuf;
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

    private static final long PAGE = 4096;

    static Region register(RdmaDevice device, Sysfs sysfs, MemorySpec spec, boolean relaxed) {
        int rights = rights(spec.access()) | (relaxed ? Ibv.RELAXED_ORDERING : 0);
        DmaBuf export = spec.dmaBuf().orElse(null);
        try {
            return new Region(
                    spec,
                    export == null
                            ? device.ibv().regMr(device.pd(), spec.address(), spec.length(), rights)
                            : registerDmaBuf(device, spec, export, rights));
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

    /** Peers go on naming bytes by the memory's own addresses. */
    private static Ibv.Mr registerDmaBuf(RdmaDevice device, MemorySpec spec, DmaBuf export, int rights)
            throws VerbsException {
        boolean inside = export.offset() >= 0
                && spec.length() <= export.length()
                && export.offset() <= export.length() - spec.length();
        if (!inside || (export.offset() ^ spec.address()) % PAGE != 0) {
            throw new WeftException(
                    ErrorCode.INVALID_ARGUMENT,
                    "rdma: " + spec.length() + " bytes at 0x" + Long.toHexString(spec.address())
                            + " are said to lie at offset "
                            + export.offset() + " of a dma-buf of " + export.length()
                            + " bytes: they leave it, or lie elsewhere in their page");
        }
        return device.ibv().regDmaBuf(device.pd(), export.fd(), export.offset(), spec.length(), spec.address(), rights);
    }

    private static ErrorCode codeOf(int errno) {
        return switch (errno) {
            case Errno.EPERM, Errno.EACCES -> ErrorCode.PERMISSION;
            case Errno.EINVAL -> ErrorCode.INVALID_ARGUMENT;
            case Errno.EOPNOTSUPP -> ErrorCode.UNSUPPORTED;
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
