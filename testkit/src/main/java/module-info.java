/** What Weft's own tests and vendors' tests stand on: reference backend, fault decorator, asserting wrapper. */
module io.weft.testkit {
    requires transitive io.weft.api;
    requires transitive static org.jspecify;
    requires java.management;
    requires static java.compiler;

    exports io.weft.testkit;
    exports io.weft.testkit.device;
    exports io.weft.testkit.engine;
    exports io.weft.testkit.faults;
    exports io.weft.testkit.jars;
    exports io.weft.testkit.lone;
    exports io.weft.testkit.mem;

    provides io.weft.spi.BackendProvider with
            io.weft.testkit.mem.MemProvider;
    provides io.weft.spi.DeviceMemoryProvider with
            io.weft.testkit.device.FakeDeviceProvider;
}
