package io.weft.backend.libfabric.ofi;

import io.weft.ffi.CStruct;
import io.weft.ffi.Foreign;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;

/** {@code struct fi_fabric_attr}. */
final class FiFabricAttr {
    static final StructLayout LAYOUT = CStruct.named("fi_fabric_attr")
            .pointers("fabric", "name", "prov_name")
            .ints("prov_version", "api_version")
            .build();

    private static final long NAME = CStruct.offset(LAYOUT, "name");
    private static final long PROV_NAME = CStruct.offset(LAYOUT, "prov_name");
    private static final long PROV_VERSION = CStruct.offset(LAYOUT, "prov_version");
    private static final int NAME_BYTES = 256;

    private FiFabricAttr() {}

    static String name(MemorySegment attr) {
        return Foreign.string(attr.get(ValueLayout.ADDRESS, NAME), NAME_BYTES);
    }

    static void name(MemorySegment attr, MemorySegment text) {
        attr.set(ValueLayout.ADDRESS, NAME, text);
    }

    static String provName(MemorySegment attr) {
        return Foreign.string(attr.get(ValueLayout.ADDRESS, PROV_NAME), NAME_BYTES);
    }

    static void provName(MemorySegment attr, MemorySegment text) {
        attr.set(ValueLayout.ADDRESS, PROV_NAME, text);
    }

    static int provVersion(MemorySegment attr) {
        return attr.get(ValueLayout.JAVA_INT, PROV_VERSION);
    }
}
