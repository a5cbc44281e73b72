package io.weft.backend.libfabric.ofi;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.weft.ffi.Foreign;
import io.weft.ffi.NativeLibrary;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * The exported functions of libfabric.
 *
 * <p>Immutable; safe from any thread.
 */
public final class Ofi {
    /** The oldest version that works. */
    public static final int FLOOR = Fi.version(1, 17);
    /** The newest API version that the layouts were checked for. */
    public static final int NEWEST = Fi.version(2, 0);
    /** {@code FI_ENODATA}: no provider fits the hints. */
    public static final int ENODATA = 61;

    private final NativeLibrary library;
    private final int runtime;
    private final MethodHandle getInfo;
    private final MethodHandle freeInfo;
    private final MethodHandle dupInfo;
    private final MethodHandle strError;
    private final MethodHandle fabric;

    /**
     * Binds.
     *
     * @param library a loaded libfabric
     * @throws io.weft.ffi.MissingSymbolException if it lacks a function
     */
    public Ofi(NativeLibrary library) {
        this.library = library;
        getInfo = library.function(
                "fi_getinfo", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, ADDRESS, JAVA_LONG, ADDRESS, ADDRESS));
        freeInfo = library.function("fi_freeinfo", FunctionDescriptor.ofVoid(ADDRESS));
        dupInfo = library.function("fi_dupinfo", FunctionDescriptor.of(ADDRESS, ADDRESS));
        fabric = library.function("fi_fabric", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, ADDRESS));
        strError = library.function("fi_strerror", FunctionDescriptor.of(ADDRESS, JAVA_INT));
        try {
            runtime = (int) library.function("fi_version", FunctionDescriptor.of(JAVA_INT))
                    .invokeExact();
        } catch (Throwable thrown) {
            throw Foreign.unexpected(thrown);
        }
    }

    /**
     * Which library it is.
     *
     * @return the library
     */
    public NativeLibrary library() {
        return library;
    }

    /**
     * The library's own version.
     *
     * @return packed
     */
    public int runtimeVersion() {
        return runtime;
    }

    /**
     * The API version to ask for: a newer one than the library's is refused by it.
     *
     * @return packed
     */
    public int apiVersion() {
        return Math.min(runtime, NEWEST);
    }

    /**
     * A packed version as text.
     *
     * @param version packed
     * @return such as {@code 1.17}
     */
    public static String text(int version) {
        return (version >>> 16) + "." + (version & 0xffff);
    }

    /** Does something with an {@code fi_info} that is valid during the call only. */
    @FunctionalInterface
    public interface InfoVisitor {
        /**
         * Visits an entry.
         *
         * @param facts what it says
         * @param info the {@code struct fi_info}
         */
        void visit(FabricFacts facts, MemorySegment info);
    }

    /**
     * Asks for reliable datagram endpoints with remote memory access.
     *
     * @param query what to ask for
     * @param visitor sees each answer, best first by the library's order
     * @throws OfiException ENODATA if nothing fits
     */
    public void getInfo(InfoQuery query, InfoVisitor visitor) throws OfiException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment none = MemorySegment.NULL;
            MemorySegment pointer = (MemorySegment) dupInfo.invokeExact(none);
            if (pointer.address() == 0) {
                throw failure("fi_dupinfo", "no info", 12);
            }
            MemorySegment hints = FiInfo.at(pointer);
            MemorySegment out = arena.allocate(ADDRESS);
            query.fill(hints, arena);
            MemorySegment node = query.node(arena);
            MemorySegment service = query.service(arena);
            long flags = query.flags();
            int version = apiVersion();
            int rc = (int) getInfo.invokeExact(version, node, service, flags, pointer, out);
            query.clear(hints);
            freeInfo.invokeExact(pointer);
            if (rc != 0) {
                throw failure("fi_getinfo", query.toString(), -rc);
            }
            MemorySegment list = out.get(ADDRESS, 0);
            try {
                for (MemorySegment at = list; at.address() != 0; at = FiInfo.next(FiInfo.at(at))) {
                    MemorySegment info = FiInfo.at(at);
                    visitor.visit(FabricFacts.of(info), info);
                }
            } finally {
                freeInfo.invokeExact(list);
            }
        } catch (OfiException | RuntimeException expected) {
            throw expected;
        } catch (Throwable thrown) {
            throw Foreign.unexpected(thrown);
        }
    }

    /**
     * Keeps an entry beyond its visit.
     *
     * @param info an {@code fi_info} being visited
     * @return a copy of the caller's
     */
    public OfiInfo keep(MemorySegment info) {
        try {
            MemorySegment copy = (MemorySegment) dupInfo.invokeExact(info);
            if (copy.address() == 0) {
                throw new OutOfMemoryError("fi_dupinfo gave no memory");
            }
            return new OfiInfo(this, FiInfo.at(copy));
        } catch (Throwable thrown) {
            throw Foreign.unexpected(thrown);
        }
    }

    /**
     * Opens a fabric.
     *
     * @param info an answer
     * @return the fabric
     * @throws OfiException if the provider refuses
     */
    public OfiFabric openFabric(OfiInfo info) throws OfiException {
        String name = info.facts().fabric();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(ADDRESS);
            MemorySegment none = MemorySegment.NULL;
            int rc;
            try {
                rc = (int) fabric.invokeExact(FiInfo.fabricAttr(info.pointer()), out, none);
            } catch (Throwable thrown) {
                throw Foreign.unexpected(thrown);
            }
            if (rc != 0) {
                throw failure("fi_fabric", info.facts().provider() + " " + name, -rc);
            }
            return new OfiFabric(this, name, out.get(ADDRESS, 0));
        }
    }

    void freeInfo(MemorySegment info) {
        try {
            freeInfo.invokeExact(info);
        } catch (Throwable thrown) {
            throw Foreign.unexpected(thrown);
        }
    }

    /**
     * Explains a number.
     *
     * @param errno positive
     * @return the library's text
     */
    public String strError(int errno) {
        try {
            return Foreign.string((MemorySegment) strError.invokeExact(errno), 256);
        } catch (Throwable thrown) {
            throw Foreign.unexpected(thrown);
        }
    }

    OfiException failure(String call, String what, int errno) {
        return new OfiException(call, what, errno, strError(errno));
    }
}
