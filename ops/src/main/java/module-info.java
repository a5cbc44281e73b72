/** Metrics to Micrometer, and the operations endpoint: metrics, health, pictures. */
// Micrometer publishes a stable Automatic-Module-Name but no descriptor; its registry is in an exported signature.
@SuppressWarnings({"requires-automatic", "requires-transitive-automatic"})
module io.weft.ops {
    requires transitive io.weft.core;
    requires transitive micrometer.core;
    requires micrometer.registry.prometheus;
    requires jdk.attach;
    requires jdk.httpserver;
    requires java.net.http;
    requires tools.jackson.databind;
    requires static org.jspecify;

    exports io.weft.ops;

    provides io.weft.config.OptionSource with
            io.weft.ops.OpsOptions;
}
