package io.weft.backend.rdma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.api.ErrorCode;
import io.weft.api.WeftException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A host with two sockets: on the second a switch with a GPU and a NIC, a NIC beside it, and a NIC without a PCI address. */
class LocalityTest {
    private static final String GPU = "0000:82:00.0";

    @TempDir
    Path root;

    private Sysfs sysfs;

    @BeforeEach
    void makeHost() throws IOException {
        sysfs = new Sysfs(root);
        nic("mlx5_0", "pci0000:00/0000:00:01.0/0000:01:00.0", 0);
        nic("mlx5_1", "pci0000:80/0000:80:03.0/0000:90:00.0", 1);
        nic("mlx5_2", "pci0000:80/0000:80:01.0/0000:81:00.0/0000:83:00.0", 1);
        pci("pci0000:80/0000:80:01.0/0000:81:00.0/" + GPU, 1);
        Files.createDirectories(root.resolve("sys/class/infiniband/rxe0"));
    }

    private Path pci(String path, int numa) throws IOException {
        Path device = Files.createDirectories(root.resolve("sys/devices").resolve(path));
        Files.writeString(device.resolve("numa_node"), numa + "\n");
        Path all = Files.createDirectories(root.resolve("sys/bus/pci/devices"));
        Files.createSymbolicLink(all.resolve(device.getFileName()), device);
        return device;
    }

    private void nic(String name, String path, int numa) throws IOException {
        Path entry =
                Files.createDirectories(root.resolve("sys/class/infiniband").resolve(name));
        Files.createSymbolicLink(entry.resolve("device"), pci(path, numa));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'' | rxe0 mlx5_0 mlx5_1 mlx5_2",
                "0000:82:00.0 | mlx5_2 mlx5_1 rxe0 mlx5_0",
                "0000:01:00.0 | mlx5_0 rxe0 mlx5_1 mlx5_2",
                "numa:1 | mlx5_1 mlx5_2 rxe0 mlx5_0",
                "numa:0 | mlx5_0 rxe0 mlx5_1 mlx5_2",
                "numa:7 | rxe0 mlx5_0 mlx5_1 mlx5_2"
            })
    void theClosestComesFirstAndTheOthersAsTheyCame(String near, String order) {
        List<Locality.Place> places = Stream.of("rxe0", "mlx5_0", "mlx5_1", "mlx5_2")
                .map(name -> new Locality.Place(name, sysfs.locality(name)))
                .toList();

        assertThat(Locality.closest(RdmaDevice.near(near, sysfs), places)).containsExactly(order.split(" "));
    }

    @Test
    void aDeviceWithoutPciAddressIsNowhere() {
        assertThat(sysfs.locality("rxe0")).isEqualTo(Locality.UNKNOWN);
    }

    @Test
    void whatIsNotThereIsNamed() {
        assertThatThrownBy(() -> RdmaDevice.near("0000:99:00.0", sysfs))
                .isInstanceOfSatisfying(
                        WeftException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT))
                .hasMessageContaining("0000:99:00.0")
                .hasMessageContaining("numa:N");
    }
}
