/** Transfer engine, discovery, configuration, KV layer and bootstrap. */
// These libraries publish a stable Automatic-Module-Name but no descriptor. Of their types only Guice's are in an
// exported signature, in io.weft.guice.
@SuppressWarnings("requires-automatic")
module io.weft.core {
    requires transitive io.weft.api;
    requires static org.jspecify;
    requires org.zeromq.jeromq;
    requires msgpack.core;
    requires tools.jackson.databind;
    requires typesafe.config;
    requires dev.failsafe.core;
    requires org.jctools.core.jdk11;
    requires jdk.httpserver;
    requires jdk.jfr;
    requires java.net.http;
    requires jdk.management;
    requires static com.google.guice;

    exports io.weft.bootstrap;
    exports io.weft.config;
    exports io.weft.discovery;
    exports io.weft.engine;
    exports io.weft.guice;
    exports io.weft.kv;
    exports io.weft.kv.layout;
    exports io.weft.kv.plan;
    exports io.weft.kv.wire;
    exports io.weft.telemetry;

    provides io.weft.config.OptionSource with
            io.weft.bootstrap.BootstrapOptions,
            io.weft.kv.KvOptionSource;

    uses io.weft.config.OptionSource;
    uses io.weft.spi.BackendProvider;
    uses io.weft.spi.DeviceMemoryProvider;
}
