package io.weft.backend.libfabric.ofi;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.weft.ffi.CStruct;
import io.weft.ffi.Foreign;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** {@code struct fid_domain}. */
public final class OfiDomain extends OfiObject {
    private static final long OPS = CStruct.offset(Fids.DOMAIN, "ops");
    private static final long MR_OPS = CStruct.offset(Fids.DOMAIN, "mr");
    /** {@code FI_MAP_RAW_MR}. */
    static final int MAP_RAW = 9;
    /** {@code FI_UNMAP_KEY}. */
    static final int UNMAP_KEY = 10;

    private static final MethodHandle OPEN =
            Foreign.shape(FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, ADDRESS, ADDRESS));
    private static final MethodHandle REGISTER = Foreign.shape(FunctionDescriptor.of(
            JAVA_INT, ADDRESS, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, ADDRESS, ADDRESS));

    private static final MethodHandle REGISTER_BY_ATTRIBUTES =
            Foreign.shape(FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, JAVA_LONG, ADDRESS));

    OfiDomain(Ofi ofi, String name, MemorySegment fid) {
        super(ofi, "domain " + name, fid);
    }

    private interface Maker<T> {
        T make(MemorySegment fid);
    }

    private <T> T open(String function, MemorySegment attributes, Maker<T> maker) throws OfiException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(ADDRESS);
            MemorySegment pointer = Tables.function(fid(), OPS, Tables.DOMAIN, function);
            MemorySegment none = MemorySegment.NULL;
            int rc;
            try {
                rc = (int) OPEN.invokeExact(pointer, fid(), attributes, out, none);
            } catch (Throwable thrown) {
                throw Foreign.unexpected(thrown);
            }
            check("fi_" + function, rc);
            return maker.make(out.get(ADDRESS, 0));
        }
    }

    /**
     * Opens an address vector.
     *
     * @param count addresses expected
     * @return the vector
     * @throws OfiException if the provider refuses
     */
    public OfiAv openAv(long count) throws OfiException {
        try (Arena arena = Arena.ofConfined()) {
            return open("av_open", FiAvAttr.of(arena, count), fid -> new OfiAv(ofi, fid));
        }
    }

    /**
     * Opens a completion queue with entries of {@code FI_CQ_FORMAT_CONTEXT}.
     *
     * @param size entries
     * @param waitObject {@code FI_WAIT_*}
     * @return the queue
     * @throws OfiException ENOSYS for a wait object that the provider lacks
     */
    public OfiCq openCq(long size, int waitObject) throws OfiException {
        try (Arena arena = Arena.ofConfined()) {
            return open("cq_open", FiCqAttr.of(arena, size, waitObject), fid -> new OfiCq(ofi, fid));
        }
    }

    /**
     * Makes an endpoint, not yet bound nor enabled.
     *
     * @param info the answer the domain was opened from
     * @return the endpoint
     * @throws OfiException if the provider refuses
     */
    public OfiEndpoint openEndpoint(OfiInfo info) throws OfiException {
        return open("endpoint", info.pointer(), fid -> new OfiEndpoint(ofi, fid));
    }

    /**
     * Registers host memory.
     *
     * @param address first byte
     * @param length bytes
     * @param access {@code FI_READ}, {@code FI_WRITE}, {@code FI_REMOTE_*}
     * @param key the key wanted, ignored where the provider chooses
     * @return the registration
     * @throws OfiException ENOMEM, ENOKEY, EACCES, ...
     */
    public OfiMr register(long address, long length, long access, long key) throws OfiException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(ADDRESS);
            MemorySegment register = Tables.function(fid(), MR_OPS, Tables.MR, "reg");
            MemorySegment none = MemorySegment.NULL;
            int rc;
            try {
                rc = (int) REGISTER.invokeExact(register, fid(), address, length, access, 0L, key, 0L, out, none);
            } catch (Throwable thrown) {
                throw Foreign.unexpected(thrown);
            }
            check("fi_mr_reg of " + length + " bytes", rc);
            return new OfiMr(ofi, out.get(ADDRESS, 0));
        }
    }

    /**
     * Registers device memory.
     *
     * @param range the memory
     * @param iface {@code FI_HMEM_*}
     * @param access {@code FI_READ}, {@code FI_WRITE}, {@code FI_REMOTE_*}
     * @param key the key wanted, ignored where the provider chooses
     * @return the registration
     * @throws OfiException ENOSYS, EOPNOTSUPP, ENOMEM, ENOKEY, ...
     */
    public OfiMr register(DeviceRange range, int iface, long access, long key) throws OfiException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(ADDRESS);
            MemorySegment register = Tables.function(fid(), MR_OPS, Tables.MR, "regattr");
            MemorySegment attributes = FiMrAttr.of(arena, range, access, key, iface);
            long flags = range.fd() < 0 ? 0 : Fi.MR_DMABUF;
            int rc;
            try {
                rc = (int) REGISTER_BY_ATTRIBUTES.invokeExact(register, fid(), attributes, flags, out);
            } catch (Throwable thrown) {
                throw Foreign.unexpected(thrown);
            }
            check(
                    "fi_mr_regattr of " + range.length() + " bytes of device " + range.device()
                            + (flags == 0 ? "" : " by dma-buf"),
                    rc);
            return new OfiMr(ofi, out.get(ADDRESS, 0));
        }
    }

    /**
     * Turns a peer's raw key into one for operations.
     *
     * @param base the peer's base address that came with it
     * @param raw the key's bytes
     * @return a key to be given back by {@link #unmapKey}
     * @throws OfiException if the provider refuses
     */
    public long mapRawKey(long base, byte[] raw) throws OfiException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment key = arena.allocate(JAVA_LONG);
            MemorySegment map = FiMrMapRaw.of(arena, base, raw, key);
            check("fi_mr_map_raw", control(MAP_RAW, map));
            return key.get(JAVA_LONG, 0);
        }
    }

    /**
     * Gives a mapped key back.
     *
     * @param key from {@link #mapRawKey}
     * @throws OfiException if the provider refuses
     */
    public void unmapKey(long key) throws OfiException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment holder = arena.allocate(JAVA_LONG);
            holder.set(JAVA_LONG, 0, key);
            check("fi_mr_unmap_key", control(UNMAP_KEY, holder));
        }
    }
}
