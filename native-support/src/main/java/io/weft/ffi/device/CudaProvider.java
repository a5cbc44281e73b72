package io.weft.ffi.device;

import io.weft.api.MemoryKind;
import java.util.List;

/** Memory of NVIDIA GPUs. */
public final class CudaProvider extends GpuProvider {
    /** For {@link java.util.ServiceLoader}; loads nothing. */
    public CudaProvider() {
        this(List.of("libcuda.so.1"));
    }

    CudaProvider(List<String> places) {
        super(
                MemoryKind.CUDA,
                places,
                "install NVIDIA's driver, and give the container its devices and libcuda.so.1",
                CudaDriver::new);
    }
}
