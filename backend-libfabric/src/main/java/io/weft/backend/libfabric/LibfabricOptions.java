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
            OptionSpec.of(DOMAIN, Type.STRING, "", "Domain (device) name as fi_info prints it. Not set: any."));

    private LibfabricOptions() {}
}
