package io.weft.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.api.TransferEngine;
import io.weft.config.ConfigurationSources;
import io.weft.engine.Descriptors;
import io.weft.engine.Weft;
import io.weft.spi.BackendProvider;
import io.weft.testkit.jars.JarBuilder;
import io.weft.testkit.jars.VendorProvider;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Ten ways to configure Weft wrongly, each met with the command's own words. What is held here is that the words name the cause
 * and what to do, so that nobody needs more than them. The limit on locked memory is the tenth; it has its words in
 * {@code HostChecksTest}, because a test cannot lower it for its own process.
 */
@Timeout(60)
class MisconfigurationsTest {
    @TempDir
    Path directory;

    private final List<URLClassLoader> loaders = new ArrayList<>();
    private ClassLoader before;

    @BeforeEach
    void keepClassLoader() {
        before = Thread.currentThread().getContextClassLoader();
    }

    @AfterEach
    void restoreClassLoader() throws IOException {
        Thread.currentThread().setContextClassLoader(before);
        for (URLClassLoader loader : loaders) {
            loader.close();
        }
    }

    @Test
    void unknownKey() {
        InProcess run = weft("explain", "--set", "weft.backend.tcp.lane=4");

        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.err())
                .contains("weft.backend.tcp.lane (command line): no such option; did you mean weft.backend.tcp.lanes?");
    }

    @Test
    void wrongUnit() {
        InProcess run = weft(Map.of("WEFT_TRANSFER_DEADLINE", "30sec"), "explain");

        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.err())
                .contains(
                        "WEFT_TRANSFER_DEADLINE (environment WEFT_TRANSFER_DEADLINE): '30sec': unknown unit 'sec'",
                        "the units are h, m, s, ms, us, ns",
                        "allowed: a duration in ns, us, ms, s, m or h from 1ms to 24h");
    }

    @Test
    void missingLibrary() {
        InProcess run = weft("backends", "--set", "weft.backend.rdma.library=/nowhere/libibverbs.so.1");

        assertThat(run.out().lines().filter(line -> line.startsWith("rdma: ")))
                .singleElement()
                .asString()
                .contains("/nowhere/libibverbs.so.1", "cannot be loaded", "install it", "weft.backend.rdma.library");
    }

    @Test
    void wrongDeviceName() throws IOException {
        onPath(VendorProvider.good("acme.Nic", "acme")
                .withOptions("OptionSpec.of(\"device\", OptionSpec.Type.STRING, \"\", \"Device.\")")
                .withProbe("""
                        String device = context.options().string("device");
                        return device.equals("acme0") ? Availability.usable(List.of())
                            : Availability.unusable("there is no device " + device + "; found: acme0",
                                "set weft.backend.acme.device to one of them");
                        """)
                .jar()
                .build(directory.resolve("acme.jar")));

        InProcess run = weft("explain", "--set", "weft.backend.acme.device=acme7", "--set", "weft.backends.allow=acme");

        assertThat(run.exit()).isEqualTo(1);
        assertThat(run.out())
                .contains(
                        "PROBE_FAILED       acme",
                        "there is no device acme7; found: acme0; set weft.backend.acme.device to one of them",
                        "DISABLED           tcp",
                        "weft.backends.allow has only acme");
    }

    @Test
    void twoBackendsOfOneName() throws IOException {
        onPath(
                VendorProvider.good("acme.Nic", "acme").jar().build(directory.resolve("acme-1.jar")),
                VendorProvider.good("acme2.Nic", "acme").jar().build(directory.resolve("acme-2.jar")));

        InProcess run = weft("explain");

        assertThat(run.out())
                .contains(
                        "DUPLICATE_NAME     acme",
                        "acme-1.jar",
                        "acme-2.jar",
                        "remove one, or name its class in weft.backends.deny");
    }

    @Test
    void portTaken() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String port = Integer.toString(taken.getLocalPort());

            InProcess run = weft("explain", "--set", "weft.listen.port=" + port);

            assertThat(run.exit()).isEqualTo(1);
            assertThat(run.err()).contains("127.0.0.1", port, "Address already in use", "weft.listen.port");
        }
    }

    @Test
    void secretMissing() {
        InProcess run = weft("explain", "--set", "weft.trust=strict", "--set", "weft.listen.host=0.0.0.0");

        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.err())
                .contains(
                        "weft.secret (default): is missing",
                        "anybody could connect",
                        "set WEFT_SECRET or weft.secret-file");
    }

    @Test
    void peerWithoutTheBackend() {
        try (TransferEngine peer = Weft.builder()
                .configuration(ConfigurationSources.none(directory))
                .option("weft.backends.allow", "mem")
                .open()) {
            InProcess run = weft(
                    "explain",
                    "--peer",
                    HexFormat.of().formatHex(Descriptors.pack(peer.descriptor())),
                    "--set",
                    "weft.backends.allow=tcp");

            assertThat(run.exit()).isEqualTo(1);
            assertThat(run.out()).contains("connected", "PEER_LACKS_IT      tcp", "the peer has [mem]");
        }
    }

    @Test
    void degradedRouteUnderFail() throws IOException {
        onPath(new JarBuilder()
                .service(BackendProvider.class.getName(), DegradedProvider.class.getName())
                .build(directory.resolve("degraded.jar")));

        InProcess run = weft("explain", "--set", "weft.backends.allow=degraded", "--set", "weft.route.policy=fail");

        assertThat(run.exit()).isEqualTo(1);
        assertThat(run.out())
                .contains("degraded (emulated in software), and the route policy is fail (weft.route.policy, or the");
        assertThat(weft("explain", "--set", "weft.backends.allow=degraded").exit())
                .isZero();
    }

    @Test
    void configuredButAbsent() {
        InProcess run = weft("explain", "--set", "weft.backends.order=efa,tcp");

        assertThat(run.exit()).isZero();
        assertThat(run.out())
                .contains(
                        "ABSENT             efa",
                        "weft.backends.order (command line) names it, but no backend named efa");
    }

    private void onPath(Path... jars) throws IOException {
        URL[] urls = new URL[jars.length];
        for (int i = 0; i < jars.length; i++) {
            urls[i] = jars[i].toUri().toURL();
        }
        URLClassLoader loader = new URLClassLoader(urls, before);
        loaders.add(loader);
        Thread.currentThread().setContextClassLoader(loader);
    }

    private InProcess weft(String... args) {
        return weft(Map.of(), args);
    }

    private InProcess weft(Map<String, String> environment, String... args) {
        return InProcess.weft(directory, environment, args);
    }
}
