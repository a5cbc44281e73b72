/** Native libraries through java.lang.foreign: look-up with reasons, layouts, errno, device memory. */
module io.weft.ffi {
    requires transitive io.weft.api;
    requires static org.jspecify;

    exports io.weft.ffi;
}
