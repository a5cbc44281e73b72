package io.weft.ffi.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.api.ErrorCode;
import io.weft.api.MemoryKind;
import io.weft.api.RegisterOptions;
import io.weft.api.RegisterOptions.Pages;
import io.weft.api.WeftException;
import io.weft.ffi.Foreign;
import io.weft.spi.Availability;
import io.weft.spi.DeviceMemoryProvider;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProvidersTest {
    @Test
    void areFoundByServiceLoader() {
        assertThat(ServiceLoader.load(DeviceMemoryProvider.class))
                .extracting(DeviceMemoryProvider::kind)
                .contains(MemoryKind.CUDA, MemoryKind.HIP, MemoryKind.HOST);
    }

    @Test
    void anAbsentDriverIsAnAnswerWithEveryPlaceTried() {
        Availability availability =
                new CudaProvider(List.of("libnot-there.so.1", "/nowhere/libcuda.so.1")).probe(Long.MAX_VALUE);
        assertThat(availability.isUsable()).isFalse();
        assertThat(availability.reason()).contains("cuda");
        assertThat(availability.remedy()).contains("driver");
        assertThat(availability.evidence()).hasSize(2).last().asString().contains("/nowhere/libcuda.so.1");
    }

    @Test
    void aLibraryOfThatNameWithoutTheFunctionsIsNamed() {
        Availability availability = new HipProvider(List.of("libc.so.6")).probe(Long.MAX_VALUE);
        assertThat(availability.isUsable()).isFalse();
        assertThat(availability.reason()).contains("has no function hip");
    }

    @ParameterizedTest
    @CsvSource({"4096, 0, 4096, 0, 10, 4096", "5000, 904, 4096, 0, 100, 4096", "8191, 4095, 8192, 0, 2, 4096"})
    void exportsCoverWholePages(long address, long offset, long length, long base, long wanted, long page) {
        DmaBufRange range = DmaBufRange.within(base, 1 << 20, address, wanted, page);
        assertThat(address - range.start()).isEqualTo(offset);
        assertThat(range.length()).isEqualTo(length);
    }

    @Test
    void hostMemoryIsThereAndZero() {
        try (HostMemory host = new HostMemory()) {
            long address = host.allocate(-1, 3 << 20, RegisterOptions.DEFAULT.withPages(Pages.TRANSPARENT_HUGE));
            MemorySegment bytes = Foreign.view(address, 3 << 20);
            assertThat(bytes.get(ValueLayout.JAVA_BYTE, (3 << 20) - 1)).isZero();
            bytes.fill((byte) 1);
            host.free(address);
            assertThatThrownBy(() -> host.free(address)).hasMessageContaining("was not allocated here");
        }
    }

    @Test
    void aShortageOfHugePagesSaysWhatToReserve() {
        try (HostMemory host = new HostMemory()) {
            RegisterOptions options = RegisterOptions.DEFAULT.withPages(Pages.HUGE_1G);
            assertThatThrownBy(() -> host.allocate(-1, 1L << 40, options))
                    .isInstanceOfSatisfying(
                            WeftException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.RESOURCE_EXHAUSTED))
                    .hasMessageContaining("nr_hugepages");
        }
    }

    @Test
    void anUnknownNodeIsRefusedWithTheErrno() {
        try (HostMemory host = new HostMemory()) {
            RegisterOptions options = RegisterOptions.DEFAULT.withNumaNode(63);
            assertThatThrownBy(() -> host.allocate(-1, 4096, options))
                    .hasMessageContaining("NUMA node 63")
                    .hasMessageContaining("EINVAL");
        }
    }
}
