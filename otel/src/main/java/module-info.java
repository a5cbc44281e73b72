/** Spans of traced rooms to OpenTelemetry. */
// OpenTelemetry publishes stable Automatic-Module-Names but no descriptors; its tracer is in an exported signature.
@SuppressWarnings({"requires-automatic", "requires-transitive-automatic"})
module io.weft.otel {
    requires transitive io.weft.core;
    requires transitive io.opentelemetry.api;
    requires io.opentelemetry.context;
    requires static org.jspecify;

    exports io.weft.otel;
}
