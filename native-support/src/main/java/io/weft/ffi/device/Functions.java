package io.weft.ffi.device;

import io.weft.ffi.MissingSymbolException;
import io.weft.ffi.NativeLibrary;
import java.lang.foreign.MemorySegment;

/** Looks up a driver's functions. Those of older interfaces carry a suffix, as {@code cuMemAlloc_v2}. */
final class Functions {
    private final NativeLibrary library;

    Functions(NativeLibrary library) {
        this.library = library;
    }

    MemorySegment get(String name) {
        return library.find(name).orElseThrow(() -> new MissingSymbolException(library, name));
    }

    /** For functions that came with a later driver. */
    MemorySegment orNull(String name) {
        return library.find(name).orElse(MemorySegment.NULL);
    }
}
