package io.weft.backend.rdma;

import io.weft.spi.OptionSpec;
import io.weft.spi.OptionSpec.Type;
import java.util.List;

/** The options of this backend, as data. */
final class RdmaOptions {
    static final String LIBRARY = "library";

    static final List<OptionSpec> ALL = List.of(OptionSpec.of(
            LIBRARY,
            Type.STRING,
            "",
            "File or directory of libibverbs.so.1. Set it when the library is outside the system's search path; then no other"
                    + " place is tried."));

    private RdmaOptions() {}
}
