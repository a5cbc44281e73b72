/** What Weft's own tests and vendors' tests stand on: reference backend, fault decorator, asserting wrapper. */
module io.weft.testkit {
    requires transitive io.weft.api;
    requires static org.jspecify;
}
