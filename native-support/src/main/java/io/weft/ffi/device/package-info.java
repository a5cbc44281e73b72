/**
 * Memory providers over the drivers' C interfaces: {@code cuda} (libcuda), {@code hip} (libamdhip64) and {@code host}
 * (huge pages, NUMA nodes). Bindings hold no policy; {@link io.weft.ffi.device.GpuMemory} is the same for both drivers.
 */
@NullMarked
package io.weft.ffi.device;

import org.jspecify.annotations.NullMarked;
