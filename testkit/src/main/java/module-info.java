/** What Weft's own tests and vendors' tests stand on: reference backend, fault decorator, asserting wrapper. */
module io.weft.testkit {
    requires transitive io.weft.api;
    requires transitive static org.jspecify;

    exports io.weft.testkit.device;

    provides io.weft.spi.DeviceMemoryProvider with
            io.weft.testkit.device.FakeDeviceProvider;
}
