/**
 * Weft's API for applications ({@link io.weft.api}) and its SPI for backends ({@link io.weft.spi}). Depends on nothing but
 * JSpecify's annotations.
 */
module io.weft.api {
    requires transitive static org.jspecify;

    exports io.weft.api;
    exports io.weft.spi;
}
