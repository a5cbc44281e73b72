package io.weft.backend.libfabric;

import io.weft.spi.OptionSpec;
import io.weft.spi.OptionSpec.Type;
import java.util.List;

/** The options of this backend, as data. */
final class LibfabricOptions {
    static final String LIBRARY = "library";
    static final String PROVIDER = "provider";
    static final String FABRIC = "fabric";
    static final String DOMAIN = "domain";
    static final String WINDOW = "window";
    static final String OPERATIONS = "operations";
    static final String SEGMENTS = "segments";
    static final String MAX_OPERATION = "max-operation";
    static final String MAX_PEERS = "max-peers";

    static final List<OptionSpec> ALL = List.of(
            OptionSpec.of(
                    LIBRARY,
                    Type.STRING,
                    "",
                    "File or directory of libfabric.so.1. Set it when the library is outside the system's search path; then no"
                            + " other place is tried."),
            OptionSpec.of(
                    PROVIDER,
                    Type.STRING,
                    "",
                    "libfabric provider, such as tcp, shm, verbs or efa; a name alone also stands for its layered form"
                            + " (tcp;ofi_rxm). Not set: the first usable one of the stated order."),
            OptionSpec.of(FABRIC, Type.STRING, "", "Fabric name as fi_info prints it. Not set: any."),
            OptionSpec.of(DOMAIN, Type.STRING, "", "Domain (device) name as fi_info prints it. Not set: any."),
            OptionSpec.integer(
                    WINDOW,
                    64,
                    1,
                    4096,
                    "Provider operations in flight to one peer. More helps small scattered segments on long ways."),
            OptionSpec.integer(OPERATIONS, 64, 1, 4096, "Weft operations in flight to one peer."),
            OptionSpec.integer(
                    SEGMENTS,
                    256,
                    1,
                    65536,
                    "Segments in one Weft operation; it is cut by the provider's own iov limit."),
            OptionSpec.of(
                            MAX_OPERATION,
                            Type.BYTES,
                            "16MiB",
                            "Bytes in one operation. Larger ones keep others waiting longer behind them.")
                    .withRange(4096, 1L << 40),
            OptionSpec.integer(
                    MAX_PEERS,
                    1024,
                    1,
                    1 << 20,
                    "Peers that may reach this engine at once; each has an endpoint of its own."));

    private LibfabricOptions() {}
}
