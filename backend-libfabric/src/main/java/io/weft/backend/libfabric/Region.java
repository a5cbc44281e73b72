package io.weft.backend.libfabric;

import io.weft.api.Access;
import io.weft.api.WeftException;
import io.weft.backend.libfabric.ofi.Fi;
import io.weft.backend.libfabric.ofi.OfiException;
import io.weft.backend.libfabric.ofi.OfiMr;
import io.weft.spi.LocalMemory;
import io.weft.spi.MemorySpec;
import java.security.SecureRandom;
import java.util.Set;

/**
 * A registered region of this engine. Immutable; safe from any thread; closed by the backend once no operation uses it.
 *
 * @param spec what was registered
 * @param mr the registration
 * @param descriptor its descriptor for local use
 */
record Region(MemorySpec spec, OfiMr mr, long descriptor) implements LocalMemory {
    /** Keys that an application chooses must not be guessable: knowing one is the right to use it. */
    private static final SecureRandom RANDOM = new SecureRandom();

    private static final int ENOKEY = 266;
    private static final int ATTEMPTS = 8;

    static Region register(OpenedFabric fabric, MemorySpec spec) {
        String what = "region of " + spec.length() + " bytes of " + spec.location() + " memory";
        try {
            OfiMr mr = registration(fabric, spec);
            return new Region(spec, mr, mr.descriptor());
        } catch (OfiException refused) {
            throw new WeftException(
                    NativeCodes.ofRegistration(refused.errno()),
                    "libfabric: registering a " + what + " with provider "
                            + fabric.traits().facts().provider() + ": " + refused.getMessage()
                            + "; check the limits of locked memory (ulimit -l) and of registrations",
                    refused.errno(),
                    refused);
        }
    }

    /** Registers what a region asks for, of any kind that the fabric moves. */
    static OfiMr registration(OpenedFabric fabric, MemorySpec spec) throws OfiException {
        long rights = rights(spec.access());
        return spec.location().kind().isHost()
                ? register(fabric, spec.address(), spec.length(), rights)
                : fabric.hmem().register(fabric, spec.location(), spec.address(), spec.length(), rights);
    }

    /** Registers host memory. */
    static OfiMr register(OpenedFabric fabric, long address, long length, long rights) throws OfiException {
        return underAKey(fabric, key -> fabric.domain().register(address, length, rights, key));
    }

    /** What a registration does with a key. */
    @FunctionalInterface
    interface WithKey {
        OfiMr register(long key) throws OfiException;
    }

    /** Registers under a random key; one that is taken already is drawn anew. */
    static OfiMr underAKey(OpenedFabric fabric, WithKey call) throws OfiException {
        long keyBytes = fabric.traits().facts().mrKeyBytes();
        long mask = keyBytes >= Long.BYTES ? -1L : (1L << keyBytes * Byte.SIZE) - 1;
        for (int attempt = 1; ; attempt++) {
            try {
                return call.register(RANDOM.nextLong() & mask);
            } catch (OfiException failed) {
                if (failed.errno() != ENOKEY || attempt == ATTEMPTS) {
                    throw failed;
                }
            }
        }
    }

    /** The key for peers, of a registration that is enabled. */
    static RegionKey keyOf(OpenedFabric fabric, OfiMr mr, long address) throws OfiException {
        if (fabric.traits().facts().needs(Fi.MR_RAW)) {
            OfiMr.RawKey raw = mr.rawKey();
            return new RegionKey(
                    true, fabric.traits().facts().needs(Fi.MR_VIRT_ADDR) ? address : raw.base(), raw.bytes());
        }
        return RegionKey.plain(fabric.traits().remoteBase(address), mr.key());
    }

    /** The FI_* rights: a write reads its local buffer, a read writes it. */
    static long rights(Set<Access> access) {
        long rights = 0;
        if (access.contains(Access.LOCAL_READ)) {
            rights |= Fi.WRITE;
        }
        if (access.contains(Access.LOCAL_WRITE)) {
            rights |= Fi.READ;
        }
        if (access.contains(Access.REMOTE_READ)) {
            rights |= Fi.REMOTE_READ;
        }
        if (access.contains(Access.REMOTE_WRITE)) {
            rights |= Fi.REMOTE_WRITE;
        }
        return rights;
    }
}
