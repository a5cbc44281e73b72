/** The rules of the contract as tests that any backend can run. */
module io.weft.tck {
    requires transitive io.weft.api;
    requires transitive io.weft.core;
    requires transitive io.weft.testkit;
    requires static org.jspecify;
    requires org.junit.jupiter.api;
    requires org.junit.jupiter.params;
    requires org.junit.platform.launcher;
}
