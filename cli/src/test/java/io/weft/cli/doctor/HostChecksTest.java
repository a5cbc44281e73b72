package io.weft.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.cli.doctor.Finding.Level;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each check against a host made of files. */
@Timeout(30)
class HostChecksTest {
    private static final String CLASS = "sys/class/infiniband/mlx5_0/";
    private static final String PORT = CLASS + "ports/1/";

    @TempDir
    Path root;

    private Host host;

    @BeforeEach
    void makeHost() {
        host = new Host(root);
    }

    @ParameterizedTest
    @CsvSource({
        "8388608, 0, 0, WARNING, 'memlock is 8 MiB; RDMA registration of more will fail'",
        "8388608, 1073741824, 0, PROBLEM, 'memlock is 8 MiB, but weft.memory.planned says that 1 GiB are going to be registered'",
        "8388608, 1073741824, 0000000000004000, OK, 'memlock is 8 MiB, and CAP_IPC_LOCK lifts it'",
        "2147483648, 1073741824, 0, OK, memlock is 2 GiB",
        "unlimited, 1073741824, 0, OK, memlock is unlimited",
    })
    void judgesMemlockByWhatIsPlanned(String limit, long planned, String capabilities, Level level, String text)
            throws IOException {
        file("proc/self/limits", "Max locked memory         " + limit + "              " + limit + "           bytes");
        file("proc/self/status", "CapEff:\t" + capabilities);

        Finding finding = only(new LockedMemoryCheck(planned));

        assertThat(finding.level()).isEqualTo(level);
        assertThat(finding.text()).startsWith(text);
        if (level != Level.OK) {
            assertThat(finding.advice()).contains("limits.conf", "LimitMEMLOCK=infinity", "--ulimit memlock=-1");
        }
    }

    @Test
    void noRdmaDeviceIsNoFault() {
        assertThat(only(new RdmaCheck()).level()).isEqualTo(Level.OK);
    }

    @Test
    void anRdmaDeviceWithoutItsNodeIsAContainerWithoutTheDevice() throws IOException {
        rdmaPort("4: ACTIVE", "Ethernet", "RoCE v2");

        assertThat(new RdmaCheck().run(host)).anySatisfy(finding -> {
            assertThat(finding.level()).isEqualTo(Level.PROBLEM);
            assertThat(finding.text()).contains("/dev/infiniband/uverbs* is missing here");
            assertThat(finding.advice()).contains("--device=/dev/infiniband");
        });
    }

    @ParameterizedTest
    @CsvSource({
        "4: ACTIVE, Ethernet, RoCE v2, OK, 'GIDs [1=fe80:0000:0000:0000:0202:c9ff:fe00:0001 RoCE v2]'",
        "4: ACTIVE, Ethernet, IB/RoCE v1, WARNING, IB/RoCE v1",
        "4: ACTIVE, InfiniBand, IB/RoCE v1, OK, 'NUMA node 1'",
        "1: DOWN, InfiniBand, IB/RoCE v1, WARNING, 1: DOWN",
    })
    void tellsOfEachRdmaPort(String state, String link, String type, Level level, String words) throws IOException {
        rdmaPort(state, link, type);
        file("dev/infiniband/uverbs0", "");

        List<Finding> findings = new RdmaCheck().run(host);

        assertThat(findings.getFirst().text()).isEqualTo("/dev/infiniband/uverbs0 can be opened");
        assertThat(findings.getLast().level()).isEqualTo(level);
        assertThat(findings.getLast().text()).startsWith("mlx5_0 port 1: ").contains(words);
    }

    @Test
    void aFastLinkWithSmallFramesIsWorthAWarning() throws IOException {
        nic("eth0", "up", 1500, 100_000);
        nic("eth1", "up", 9000, 100_000);
        nic("eth2", "down", 1500, 100_000);

        List<Finding> findings = new NetworkCheck().run(host);

        assertThat(findings).anySatisfy(f -> {
            assertThat(f.level()).isEqualTo(Level.WARNING);
            assertThat(f.text()).isEqualTo("eth0: MTU 1500, 100000 Mbit/s, NUMA node unknown");
            assertThat(f.advice()).contains("ip link set eth0 mtu 9000");
        });
        assertThat(findings).anySatisfy(f -> {
            assertThat(f.level()).isEqualTo(Level.OK);
            assertThat(f.text()).startsWith("eth1: MTU 9000");
        });
        assertThat(findings).noneSatisfy(f -> assertThat(f.text()).startsWith("eth2"));
    }

    @Test
    void cappedSocketBuffersMatterOnlyToThoseWhoSetThem() throws IOException {
        file("proc/sys/net/core/rmem_max", "212992");

        assertThat(new NetworkCheck().run(host)).anySatisfy(f -> {
            assertThat(f.text()).startsWith("net.core.rmem_max is 208 KiB");
            assertThat(f.advice()).contains("weft.backend.tcp.send-buffer", "sysctl -w net.core.rmem_max=16777216");
        });
    }

    @Test
    void aTakenPortIsAProblemThatNamesWhoHasIt() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Finding finding = only(new PortCheck("127.0.0.1", taken.getLocalPort(), ""));

            assertThat(finding.level()).isEqualTo(Level.PROBLEM);
            assertThat(finding.text())
                    .startsWith("the engine cannot listen on 127.0.0.1:" + taken.getLocalPort()
                            + ": Address already in use");
            assertThat(finding.advice()).contains("ss -ltnp 'sport = :" + taken.getLocalPort());
        }
    }

    @Test
    void aFreePortOnLoopbackIsFineButOutOfReach() {
        Finding finding = only(new PortCheck("127.0.0.1", 0, ""));

        assertThat(finding.level()).isEqualTo(Level.OK);
        assertThat(finding.text()).endsWith("peers on other hosts cannot reach it");
    }

    @Test
    void anAddressOfAnotherHostIsAProblem() {
        assertThat(only(new PortCheck("192.0.2.1", 0, "")).level()).isEqualTo(Level.PROBLEM);
    }

    @Test
    void aContainerHasToSayWhatPeersDial() throws IOException {
        file(".dockerenv", "");

        assertThat(new ContainerCheck("").run(host).getFirst().advice()).contains("weft.advertise.host");
        assertThat(new ContainerCheck("10.0.0.7").run(host).getFirst().level()).isEqualTo(Level.OK);
    }

    @Test
    void restrictedPtraceIsToldWithWhoNeedsIt() throws IOException {
        file("proc/sys/kernel/yama/ptrace_scope", "1");

        assertThat(new ContainerCheck("").run(host).getLast().text()).startsWith("ptrace scope is 1");
        assertThat(new ContainerCheck("").run(host).getLast().level()).isEqualTo(Level.WARNING);
    }

    @ParameterizedTest
    @CsvSource({"tsc, OK", "hpet, WARNING", "'', WARNING"})
    void aSlowClockIsWorthAWarning(String source, Level level) throws IOException {
        file("sys/devices/system/clocksource/clocksource0/current_clocksource", source);

        assertThat(only(new ClockCheck()).level()).isEqualTo(level);
    }

    @Test
    void aControlGroupSmallerThanThePlanIsAProblem() throws IOException {
        file("sys/fs/cgroup/memory.max", "1073741824");

        assertThat(new MemoryCheck(2L << 30).run(host))
                .anySatisfy(f -> {
                    assertThat(f.level()).isEqualTo(Level.PROBLEM);
                    assertThat(f.text())
                            .isEqualTo("this control group may use 1 GiB, but weft.memory.planned says 2 GiB");
                })
                .anySatisfy(f -> assertThat(f.text()).isEqualTo("/dev/shm is missing"));
    }

    @Test
    void aHostSmallerThanThePlanIsAProblem() throws IOException {
        file("proc/meminfo", "MemTotal:        1048576 kB");

        assertThat(new MemoryCheck(2L << 30).run(host)).anySatisfy(f -> {
            assertThat(f.level()).isEqualTo(Level.PROBLEM);
            assertThat(f.text()).isEqualTo("this host has 1 GiB, but weft.memory.planned says 2 GiB");
        });
    }

    /** The kernel gives these to one read of enough bytes, and not in pieces. */
    @Test
    void numbersOfTheKernelAreReadWhole() {
        assertThat(Host.local().number("/proc/sys/kernel/pid_max").orElseThrow())
                .isGreaterThan(300);
    }

    @Test
    void thisJavaWillDo() {
        assertThat(new JavaCheck(getClass().getModule()).run(host))
                .allSatisfy(f -> assertThat(f.level()).isEqualTo(Level.OK));
    }

    private Finding only(Check check) {
        List<Finding> findings = check.run(host);
        assertThat(findings).hasSize(1);
        return findings.getFirst();
    }

    private void rdmaPort(String state, String link, String type) throws IOException {
        file(PORT + "state", state);
        file(PORT + "link_layer", link);
        file(PORT + "rate", "100 Gb/sec (4X EDR)");
        file(PORT + "gids/0", "0000:0000:0000:0000:0000:0000:0000:0000");
        file(PORT + "gids/1", "fe80:0000:0000:0000:0202:c9ff:fe00:0001");
        file(PORT + "gid_attrs/types/1", type);
        file(CLASS + "device/numa_node", "1");
    }

    private void nic(String name, String state, int mtu, int speed) throws IOException {
        file("sys/class/net/" + name + "/operstate", state);
        file("sys/class/net/" + name + "/mtu", Integer.toString(mtu));
        file("sys/class/net/" + name + "/speed", Integer.toString(speed));
    }

    private void file(String path, String text) throws IOException {
        Path file = root.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text + "\n");
    }
}
