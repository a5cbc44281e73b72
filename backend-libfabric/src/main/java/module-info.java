/** Provider {@code libfabric}: RMA through java.lang.foreign. */
module io.weft.backend.libfabric {
    requires io.weft.api;
    requires io.weft.ffi;
    requires static org.jspecify;

    provides io.weft.spi.BackendProvider with
            io.weft.backend.libfabric.LibfabricProvider;
}
