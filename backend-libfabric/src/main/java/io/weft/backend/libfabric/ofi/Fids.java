package io.weft.backend.libfabric.ofi;

import io.weft.ffi.CStruct;
import java.lang.foreign.StructLayout;

/** The heads of the library's objects ({@code struct fid_*}): where their tables, key and descriptor are. */
final class Fids {
    static final StructLayout FID =
            CStruct.named("fid").longs("fclass").pointers("context", "ops").build();
    static final StructLayout FABRIC = CStruct.named("fid_fabric")
            .field("fid", FID)
            .pointers("ops")
            .ints("api_version")
            .build();
    static final StructLayout DOMAIN =
            CStruct.named("fid_domain").field("fid", FID).pointers("ops", "mr").build();
    static final StructLayout MR = CStruct.named("fid_mr")
            .field("fid", FID)
            .pointers("mem_desc")
            .longs("key")
            .build();
    static final StructLayout EP = CStruct.named("fid_ep")
            .field("fid", FID)
            .pointers("ops", "cm", "msg", "rma", "tagged", "atomic", "collective")
            .build();
    static final StructLayout AV =
            CStruct.named("fid_av").field("fid", FID).pointers("ops").build();
    static final StructLayout CQ =
            CStruct.named("fid_cq").field("fid", FID).pointers("ops").build();

    private Fids() {}
}
