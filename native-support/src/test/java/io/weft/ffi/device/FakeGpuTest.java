package io.weft.ffi.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.api.ErrorCode;
import io.weft.api.MemoryKind;
import io.weft.api.MemoryLocation;
import io.weft.api.WeftException;
import io.weft.ffi.LibrarySearch;
import io.weft.ffi.NativeLibrary;
import io.weft.ffi.TestLibrary;
import io.weft.spi.Availability;
import io.weft.spi.Device;
import io.weft.spi.DeviceMemory;
import io.weft.spi.DeviceMemoryProvider;
import io.weft.spi.DeviceStream;
import io.weft.spi.DmaBuf;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Both bindings against a driver library that the test compiles. */
@ParameterizedClass
@EnumSource
@Timeout(60)
class FakeGpuTest {
    // The library is compiled before all tests, and memory kinds do not change.
    @SuppressWarnings("ImmutableEnumChecker")
    enum Driver {
        CUDA("libcuda.so.1", "-DFAKE_CUDA", MemoryKind.CUDA),
        HIP("libamdhip64.so", "-DFAKE_HIP", MemoryKind.HIP);

        private final String soname;
        private final String define;
        private final MemoryKind kind;
        private Path library;

        Driver(String soname, String define, MemoryKind kind) {
            this.soname = soname;
            this.define = define;
            this.kind = kind;
        }

        DeviceMemoryProvider provider() {
            List<String> places = List.of(library.toString());
            return this == CUDA ? new CudaProvider(places) : new HipProvider(places);
        }
    }

    @TempDir
    static Path directory;

    @Parameter
    Driver driver;

    private DeviceMemory memory;

    @BeforeAll
    static void compile() throws Exception {
        String source;
        try (var in = FakeGpuTest.class.getResourceAsStream("fake_gpu.c")) {
            source = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
        for (Driver driver : Driver.values()) {
            driver.library = TestLibrary.compile(directory, driver.soname, source, driver.define, "-pthread");
        }
    }

    @BeforeEach
    void open() {
        memory = driver.provider().open();
    }

    @AfterEach
    void close() {
        memory.close();
    }

    @Test
    void probeNamesTheDevices() {
        Availability availability = driver.provider().probe(Long.MAX_VALUE);
        assertThat(availability.isUsable()).isTrue();
        assertThat(availability.devices())
                .extracting(Device::name)
                .containsExactly(driver.kind + ":0", driver.kind + ":1");
        assertThat(availability.devices().get(1).attributes().get("pci")).startsWith("0000:f");
    }

    @Test
    void bytesGoThereAndBackAndMarksSayWhen() {
        long device = memory.allocate(1, 1 << 20);
        try (Arena arena = Arena.ofShared();
                DeviceStream stream = memory.openStream(1)) {
            MemorySegment out = arena.allocate(1 << 18);
            MemorySegment in = arena.allocate(1 << 18);
            for (int i = 0; i < out.byteSize(); i++) {
                out.set(ValueLayout.JAVA_BYTE, i, (byte) (i * 31 >> 3));
            }
            for (int chunk = 0; chunk < 64; chunk++) {
                long at = chunk * 4096L;
                stream.copyToDevice(device + 77 + at, out.address() + at, 4096);
                stream.mark();
            }
            stream.copyToHost(in.address(), device + 77, in.byteSize());
            long last = stream.mark();
            assertThat(last).isEqualTo(65);
            Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> stream.isDone(last));
            assertThat(stream.isDone(1)).isTrue();
            assertThat(in.mismatch(out)).isEqualTo(-1);
        } finally {
            memory.free(device);
        }
    }

    @Test
    void addressesAreLocated() {
        long device = memory.allocate(1, 4096);
        assertThat(memory.locate(device + 17)).contains(new MemoryLocation(driver.kind, 1));
        memory.free(device);
        assertThat(memory.locate(device)).isEmpty();
    }

    @Test
    void driversErrorsKeepTheirNames() {
        assertThatThrownBy(() -> memory.allocate(0, 1L << 50))
                .isInstanceOfSatisfying(WeftException.class, e -> {
                    assertThat(e.code()).isEqualTo(ErrorCode.RESOURCE_EXHAUSTED);
                    assertThat(e.nativeCode()).isEqualTo(2);
                })
                .hasMessageContaining("FAKE_OUT_OF_MEMORY");
        assertThatThrownBy(() -> memory.allocate(7, 10)).hasMessageContaining("there is no device 7");
        assertThatThrownBy(() -> memory.free(12_345)).hasMessageContaining("is not memory of this driver");
    }

    @Test
    void anExportTellsWhereInItTheAddressLies() throws IOException {
        long device = memory.allocate(0, 1 << 16);
        try (Arena arena = Arena.ofShared();
                DeviceStream stream = memory.openStream(0)) {
            MemorySegment marker = arena.allocateFrom(ValueLayout.JAVA_LONG, 0x5eed_cafeL);
            stream.copyToDevice(device + 5000, marker.address(), 8);
            long mark = stream.mark();
            Awaitility.await().atMost(Duration.ofSeconds(10)).until(() -> stream.isDone(mark));

            DmaBuf export = memory.exportDmaBuf(device + 5000, 100).orElseThrow();
            assertThat(export.offset()).isEqualTo(5000 - 4096);
            assertThat(export.length()).isEqualTo(4096);
            byte[] whole = Files.readAllBytes(Path.of("/proc/self/fd/" + export.fd()));
            assertThat(MemorySegment.ofArray(whole).get(ValueLayout.JAVA_LONG_UNALIGNED, 5000))
                    .isEqualTo(0x5eed_cafeL);
            memory.releaseDmaBuf(export);
            assertThat(Path.of("/proc/self/fd/" + export.fd())).doesNotExist();
        } finally {
            memory.free(device);
        }
    }

    @Test
    void flushReachesTheDriver() {
        int before = counter("fake_flushes");
        memory.flushRemoteWrites(1);
        assertThat(counter("fake_flushes")).isEqualTo(before + 1);
    }

    @Test
    void directAccessIsPreparedWhereTheDriverHasASwitch() {
        long device = memory.allocate(0, 4096);
        int before = counter("fake_sync_memops");
        memory.prepareForDirectAccess(device, 4096);
        assertThat(counter("fake_sync_memops")).isEqualTo(driver == Driver.CUDA ? before + 1 : before);
        memory.free(device);
    }

    private int counter(String name) {
        NativeLibrary library = LibrarySearch.of(List.of(driver.library.toString()))
                .run()
                .library()
                .orElseThrow();
        try {
            return (int) library.function(name, FunctionDescriptor.of(ValueLayout.JAVA_INT))
                    .invokeExact();
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }
}
