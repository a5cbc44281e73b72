package io.weft.ffi.device;

import io.weft.api.MemoryKind;
import java.util.List;

/** Memory of AMD GPUs. */
public final class HipProvider extends GpuProvider {
    /** For {@link java.util.ServiceLoader}; loads nothing. */
    public HipProvider() {
        this(List.of("libamdhip64.so", "libamdhip64.so.7", "libamdhip64.so.6", "/opt/rocm/lib/libamdhip64.so"));
    }

    HipProvider(List<String> places) {
        super(
                MemoryKind.HIP,
                places,
                "install ROCm's HIP runtime, and give the container /dev/kfd and /dev/dri",
                HipDriver::new);
    }
}
