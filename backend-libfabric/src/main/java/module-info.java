/** Provider {@code libfabric}: RMA through java.lang.foreign. */
module io.weft.backend.libfabric {
    requires io.weft.api;
    requires io.weft.ffi;
    requires static org.jspecify;
}
