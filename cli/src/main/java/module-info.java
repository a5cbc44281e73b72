/** The {@code weft} command. */
// HdrHistogram has no descriptor; its types stay inside.
@SuppressWarnings("requires-automatic")
module io.weft.cli {
    requires io.weft.api;
    requires io.weft.core;
    requires io.weft.ffi;
    requires io.weft.ops;
    requires io.weft.tck;
    requires io.weft.testkit;
    requires io.weft.replay;
    requires info.picocli;
    requires java.management;
    requires jdk.management;
    requires HdrHistogram;
    requires tools.jackson.databind;
    requires static org.jspecify;

    uses io.weft.spi.WireVectors;

    provides io.weft.tck.harness.BackendFinder with
            io.weft.cli.PluginFinder;

    opens io.weft.cli to
            info.picocli;
}
