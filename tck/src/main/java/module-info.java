/** The rules of the contract as tests that any backend can run. */
// JeroMQ publishes a stable Automatic-Module-Name but no descriptor; the kit exports none of its types.
@SuppressWarnings("requires-automatic")
module io.weft.tck {
    requires transitive io.weft.api;
    requires transitive io.weft.core;
    requires transitive io.weft.testkit;
    requires transitive static org.jspecify;
    requires transitive org.junit.platform.launcher;
    requires java.logging;
    requires java.management;
    requires java.xml;
    requires jdk.management;
    requires transitive org.junit.jupiter.api;
    requires org.opentest4j;
    requires org.zeromq.jeromq;
    requires tools.jackson.databind;

    exports io.weft.tck;
    exports io.weft.tck.contract;
    exports io.weft.tck.harness;
    exports io.weft.tck.report;

    opens io.weft.tck.harness to
            org.junit.platform.commons;
    opens io.weft.tck.rules to
            org.junit.platform.commons;

    uses io.weft.spi.BackendProvider;
    uses io.weft.spi.DeviceMemoryProvider;
    uses io.weft.tck.harness.BackendFinder;
    uses io.weft.tck.harness.Sabotage.Source;
}
