/** Native libraries through java.lang.foreign: look-up with reasons, layouts, errno, device memory. */
module io.weft.ffi {
    requires transitive io.weft.api;
    requires static org.jspecify;

    exports io.weft.ffi;
    exports io.weft.ffi.device;

    provides io.weft.spi.DeviceMemoryProvider with
            io.weft.ffi.device.CudaProvider,
            io.weft.ffi.device.HipProvider,
            io.weft.ffi.device.HostProvider;
}
