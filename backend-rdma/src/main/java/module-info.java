/** Provider {@code rdma}: ibverbs through java.lang.foreign. */
// msgpack-core publishes a stable Automatic-Module-Name but no descriptor; nothing is exported from here.
@SuppressWarnings("requires-automatic")
module io.weft.backend.rdma {
    requires io.weft.api;
    requires io.weft.ffi;
    requires msgpack.core;
    requires static org.jspecify;

    provides io.weft.spi.BackendProvider with
            io.weft.backend.rdma.RdmaProvider;
    provides io.weft.spi.WireVectors with
            io.weft.backend.rdma.mori.RdmaVectors;
}
