package io.weft.backend.libfabric;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.api.MemoryKind;
import io.weft.api.MemoryLocation;
import io.weft.api.Region;
import io.weft.api.RegisterOptions;
import io.weft.api.RoutePolicy;
import io.weft.api.Transfer;
import io.weft.api.TransferEngine;
import io.weft.api.TransferOptions;
import io.weft.api.TransferState;
import io.weft.config.ConfigurationSources;
import io.weft.engine.Weft;
import io.weft.ffi.device.CudaProvider;
import io.weft.spi.DeviceMemory;
import io.weft.spi.DeviceStream;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Device memory over a fake libfabric that moves memory of a fake CUDA driver: direct where a round trip of bytes through the
 * registration worked, staged and said so where it did not (rules WR-9, DEV-1, DEV-3, DEV-5).
 */
@Tag("long")
@Timeout(60)
@SuppressWarnings("restricted") // loads the fake libraries and calls into them
class LibfabricDirectDeviceTest {
    private static final int BYTES = 300_000;
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @TempDir
    static Path driverDirectory;

    private static SymbolLookup driver = name -> Optional.empty();

    @TempDir
    Path directory;

    private final Random random = new Random(Long.getLong("weft.test.seed", 20_261_202L));
    private final List<TransferEngine> engines = new ArrayList<>();
    private final DeviceMemory memory = new CudaProvider().open();
    private Path fabric = Path.of("");

    @BeforeAll
    static void loadDriver() throws Exception {
        driver = SymbolLookup.libraryLookup(FakeFabric.compileDriver(driverDirectory), Arena.global());
    }

    @BeforeEach
    void onlyOverTheFakeDriver() {
        assertThat(memory.devices().getFirst().attributes().get("name")).startsWith("Fake CUDA device");
    }

    private void open(String... defines) throws Exception {
        fabric = FakeFabric.compileWithDevices(directory, defines);
        for (String name : List.of("here", "there")) {
            engines.add(Weft.builder()
                    .configuration(ConfigurationSources.none(Path.of("target"))
                            .withApi(Map.of(
                                    "weft.backends.allow", "libfabric",
                                    "weft.backend.libfabric.provider", "tcp",
                                    "weft.backend.libfabric.library", fabric.toString())))
                    .name(name)
                    .provider(new LibfabricProvider())
                    .deviceMemory(new CudaProvider())
                    .open());
        }
        here().addPeer(there().descriptor());
    }

    private TransferEngine here() {
        return engines.get(0);
    }

    private TransferEngine there() {
        return engines.get(1);
    }

    @AfterEach
    void close() {
        engines.forEach(engine -> engine.close(Duration.ofSeconds(2)));
        memory.close();
    }

    private static long count(SymbolLookup library, String name, ValueLayout type) throws Throwable {
        Object found = Linker.nativeLinker()
                .downcallHandle(library.findOrThrow(name), FunctionDescriptor.of(type))
                .invoke();
        return ((Number) found).longValue();
    }

    private static Region allocate(TransferEngine engine, String where) {
        return engine.allocate(MemoryLocation.parse(where), BYTES, RegisterOptions.DEFAULT);
    }

    private void copy(Region region, MemorySegment host, boolean toDevice) {
        try (DeviceStream stream = memory.openStream(region.location().device())) {
            if (toDevice) {
                stream.copyToDevice(region.address(), host.address(), BYTES);
            } else {
                stream.copyToHost(host.address(), region.address(), BYTES);
            }
            long mark = stream.mark();
            Awaitility.await().atMost(PATIENCE).until(() -> stream.isDone(mark));
        }
    }

    private void put(Region region, byte[] content) {
        try (Arena arena = Arena.ofShared()) {
            MemorySegment host = region.segment().orElseGet(() -> arena.allocate(BYTES));
            MemorySegment.copy(content, 0, host, ValueLayout.JAVA_BYTE, 0, BYTES);
            if (region.segment().isEmpty()) {
                copy(region, host, true);
            }
        }
    }

    private byte[] get(Region region) {
        try (Arena arena = Arena.ofShared()) {
            MemorySegment host = region.segment().orElseGet(() -> arena.allocate(BYTES));
            if (region.segment().isEmpty()) {
                copy(region, host, false);
            }
            return host.toArray(ValueLayout.JAVA_BYTE);
        }
    }

    /** Moves all but the edges of a region, from an odd offset to another, and compares every byte of both. */
    private Transfer moves(boolean write, String local, String remote, RoutePolicy policy) throws Exception {
        Region mine = allocate(here(), local);
        Region theirs = allocate(there(), remote);
        byte[] source = new byte[BYTES];
        byte[] before = new byte[BYTES];
        random.nextBytes(source);
        random.nextBytes(before);
        put(write ? mine : theirs, source);
        put(write ? theirs : mine, before);
        int length = BYTES - 500;
        TransferOptions options = TransferOptions.DEFAULT.withRoutePolicy(policy);
        Transfer transfer = write
                ? here().write(mine, 101, theirs.descriptor(), 203, length, options)
                : here().read(mine, 203, theirs.descriptor(), 101, length, options);
        assertThat(transfer.await(PATIENCE)).as(transfer::text).isEqualTo(TransferState.SUCCEEDED);
        System.arraycopy(source, 101, before, 203, length);
        assertThat(get(write ? theirs : mine)).isEqualTo(before);
        assertThat(get(write ? mine : theirs)).isEqualTo(source);
        return transfer;
    }

    @ParameterizedTest
    @CsvSource({
        "true, cuda:0, cuda:1", "true, host, cuda:1", "true, cuda:1, host",
        "false, cuda:0, cuda:1", "false, host, cuda:1", "false, cuda:1, host"
    })
    void everyCombinationIsDirectAndFlushedBeforeItSucceeds(boolean write, String local, String remote)
            throws Throwable {
        open();
        SymbolLookup library = SymbolLookup.libraryLookup(fabric, Arena.global());
        long moved = count(library, "fake_direct_bytes", ValueLayout.JAVA_LONG);
        long flushes = count(driver, "fake_flushes", ValueLayout.JAVA_INT);

        Transfer transfer = moves(write, local, remote, RoutePolicy.FAIL);

        assertThat(transfer.receipt().orElseThrow().stagingCopies()).isZero();
        assertThat(count(library, "fake_direct_bytes", ValueLayout.JAVA_LONG) - moved)
                .isEqualTo(BYTES - 500);
        boolean toDevice = (write ? remote : local).startsWith("cuda");
        assertThat(count(driver, "fake_flushes", ValueLayout.JAVA_INT) - flushes)
                .as("flushes of the driver for this transfer")
                .isEqualTo(toDevice ? 1 : 0);
    }

    @ParameterizedTest
    @CsvSource({"LOSES, came back changed", "NO_REGATTR, Operation not supported"})
    void whatDoesNotBringBytesBackIsStagedAndSaysWhy(String defect, String found) throws Exception {
        open(defect);

        Transfer transfer = moves(true, "cuda:0", "cuda:1", RoutePolicy.WARN);

        assertThat(transfer.receipt().orElseThrow().stagingCopies()).isPositive();
        assertThat(here().explain(there().descriptor().key(), MemoryKind.CUDA, MemoryKind.CUDA)
                        .toString())
                .contains("staged through host memory", "round trip of bytes through a registration failed", found);
    }

    @Test
    void aLibraryThatTakesDmaBufsIsGivenThem() throws Exception {
        open("API=FI_VERSION(1,20)", "ONLY_DMABUF");

        assertThat(moves(true, "cuda:0", "cuda:1", RoutePolicy.FAIL)
                        .receipt()
                        .orElseThrow()
                        .stagingCopies())
                .isZero();
    }
}
