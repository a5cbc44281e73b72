/** Provider {@code tcp}: NIO sockets, works on every host. */
module io.weft.backend.tcp {
    requires io.weft.api;
    requires static org.jspecify;

    provides io.weft.spi.BackendProvider with
            io.weft.backend.tcp.TcpProvider;
    provides io.weft.spi.WireVectors with
            io.weft.backend.tcp.V3Vectors;
}
