package io.weft.backend.rdma;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.ffi.LibrarySearch;
import io.weft.spi.Availability;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class RdmaProbeTest {
    @TempDir
    Path directory;

    @TempDir
    Path root;

    @Test
    void namesTheMissingLibraryThePackageAndEveryPlace() {
        Availability answer = new RdmaProbe(new Sysfs(root), directory.toString()).run();

        assertThat(answer.isUsable()).isFalse();
        assertThat(answer.reason()).contains("libibverbs.so.1", directory.toString(), "No such file");
        assertThat(answer.remedy()).contains("libibverbs1", "ibverbs-providers", "weft.backend.rdma.library");
        assertThat(answer.evidence()).hasSize(1);
    }

    @Test
    void theSystemSearchTriesTheLoaderFirstAndThenKnownDirectories() {
        assertThat(RdmaProbe.search("").run().attempts())
                .first()
                .extracting(LibrarySearch.Attempt::place)
                .isEqualTo("libibverbs.so.1");
    }

    @Test
    void aLibraryWithoutTheFunctionsIsNamed() throws Exception {
        Path library = FakeVerbs.compile(directory, "ibv_get_device_list=renamed");
        Availability answer = new RdmaProbe(new Sysfs(root), library.toString()).run();

        assertThat(answer.isUsable()).isFalse();
        assertThat(answer.reason()).contains("ibv_get_device_list");
    }

    @Test
    void withoutRdmaInTheKernelItSaysSo() throws Exception {
        FakeVerbs.compile(directory, "LIST_ERRNO=38");
        Availability answer = new RdmaProbe(new Sysfs(root), directory.toString()).run();

        assertThat(answer.isUsable()).isFalse();
        assertThat(answer.reason()).contains("ibv_get_device_list", "ENOSYS");
        assertThat(answer.remedy()).contains("rdma link add");
    }

    @Test
    void aLibraryWithoutDevicesIsToldFromAMissingUserSpaceDriver() throws Exception {
        FakeVerbs.compile(directory, "DEVICES=0");
        assertThat(new RdmaProbe(new Sysfs(root), directory.toString()).run().reason())
                .contains("no RDMA device");

        Files.createDirectories(root.resolve("sys/class/infiniband/mlx5_0"));
        Availability answer = new RdmaProbe(new Sysfs(root), directory.toString()).run();
        assertThat(answer.reason()).contains("mlx5_0");
        assertThat(answer.remedy()).contains("ibverbs-providers");
    }

    @Test
    void namesTheForbiddenFile() throws Exception {
        FakeVerbs.compile(directory, "OPEN_ERRNO=13");
        Availability answer = new RdmaProbe(new Sysfs(root), directory.toString()).run();

        assertThat(answer.isUsable()).isFalse();
        assertThat(answer.reason()).contains("ibv_open_device", "fake0", "EACCES");
        assertThat(answer.remedy()).contains("/dev/infiniband/uverbs");
        assertThat(answer.devices()).hasSize(1);
    }

    @Test
    void aPortThatIsDownIsNotUsable() throws Exception {
        FakeVerbs.compile(directory, "PORT_STATE=1");
        Availability answer = new RdmaProbe(new Sysfs(root), directory.toString()).run();

        assertThat(answer.isUsable()).isFalse();
        assertThat(answer.reason()).contains("no active port", "fake0");
        assertThat(answer.evidence()).contains("fake0 port 1: DOWN");
    }

    @Test
    void listsDevicesWithVersionPortsAndLimitsAndHoldsNothing() throws Exception {
        Files.createDirectories(root.resolve("proc/self"));
        Files.writeString(
                root.resolve("proc/self/limits"),
                "Max locked memory         65536                65536                bytes     \n");
        FakeVerbs fake = FakeVerbs.in(directory, "DEVICES=2");
        Availability answer = new RdmaProbe(new Sysfs(root), directory.toString()).run();

        assertThat(answer.isUsable()).isTrue();
        assertThat(answer.devices()).extracting(device -> device.name()).containsExactly("fake0", "fake1");
        assertThat(answer.devices().getFirst().attributes())
                .containsEntry("firmware", "1.2.3")
                .containsEntry("pci", "")
                .containsEntry("port1", "ACTIVE Ethernet mtu 4096, 3 gids");
        assertThat(answer.evidence())
                .contains("locked memory limit: 65536 bytes")
                .anyMatch(line -> line.contains(fake.path()));
        assertThat(fake.openContexts()).isZero();
    }

    @Test
    void aBrokenEntryOfSysfsDisturbsNothing() throws Exception {
        Path device = Files.createDirectories(root.resolve("sys/class/infiniband/rxe0"));
        Sysfs sysfs = new Sysfs(root);

        assertThat(sysfs.pciAddress("rxe0")).isEmpty();
        assertThat(sysfs.numaNode("rxe0")).isEqualTo(-1);
        Path pci = Files.createDirectories(root.resolve("sys/devices/pci0000:00/0000:3b:00.1"));
        Files.writeString(pci.resolve("numa_node"), "1\n");
        Files.createSymbolicLink(device.resolve("device"), pci);
        assertThat(sysfs.pciAddress("rxe0")).isEqualTo("0000:3b:00.1");
        assertThat(sysfs.numaNode("rxe0")).isEqualTo(1);
    }
}
