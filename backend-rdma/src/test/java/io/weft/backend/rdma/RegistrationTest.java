package io.weft.backend.rdma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.api.Access;
import io.weft.api.ErrorCode;
import io.weft.api.MemoryKind;
import io.weft.api.MemoryLocation;
import io.weft.api.WeftException;
import io.weft.backend.rdma.verbs.Ibv;
import io.weft.spi.DmaBuf;
import io.weft.spi.Link;
import io.weft.spi.MemorySpec;
import io.weft.spi.OperationKind;
import io.weft.testkit.lone.LonePair;
import io.weft.testkit.lone.RecordedLink;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How memory is registered and short writes are posted, over the fake library. */
@Timeout(60)
class RegistrationTest {
    private static final int BYTES = 16_384;
    private static final int FD = 1234;
    private static final int PAGE = 4096;

    @TempDir
    Path directory;

    @SuppressWarnings("NullAway.Init") // each test opens
    private FakeVerbs fake;

    @SuppressWarnings("NullAway.Init")
    private LonePair pair;

    private void open(Map<String, String> options, String... defines) throws Exception {
        fake = FakeVerbs.in(Files.createDirectory(directory.resolve("library")), defines);
        Map<String, String> all = new HashMap<>(options);
        all.put("library", fake.path());
        pair = new LonePair(new RdmaProvider(), all);
    }

    @AfterEach
    void leaveNothing() throws Exception {
        pair.close();
        assertThat(fake.objects()).isZero();
    }

    /** A device's memory that its driver exports. */
    private record Exported(MemorySpec memory, Optional<DmaBuf> dmaBuf) implements MemorySpec {
        @Override
        public int regionId() {
            return memory.regionId() ^ 1 << 20;
        }

        @Override
        public long address() {
            return memory.address();
        }

        @Override
        public long length() {
            return memory.length();
        }

        @Override
        public MemoryLocation location() {
            return new MemoryLocation(MemoryKind.CUDA, 0);
        }

        @Override
        public Set<Access> access() {
            return memory.access();
        }

        @Override
        public Optional<MemorySegment> segment() {
            return Optional.empty();
        }
    }

    private static DmaBuf export(MemorySpec memory, long pages) {
        return new DmaBuf(FD, pages * PAGE + memory.address() % PAGE, 100L * PAGE);
    }

    @Test
    void deviceMemoryIsRegisteredByItsDmaBuf() throws Exception {
        open(Map.of());
        MemorySpec memory = pair.memory(pair.right(), BYTES).spec();
        DmaBuf export = export(memory, 3);

        pair.right().backend().register(new Exported(memory, Optional.of(export)));

        assertThat(fake.lastDmaBuf()).isEqualTo(FD);
        assertThat(fake.lastOffset()).isEqualTo((int) export.offset());
    }

    @ParameterizedTest
    @CsvSource({"8, 409600", "0, 4096", "-4096, 409600"})
    void aRangeThatDoesNotFitIsRefusedBeforeTheDriverSeesIt(long shift, long length) throws Exception {
        open(Map.of());
        MemorySpec memory = pair.memory(pair.right(), BYTES).spec();
        DmaBuf wrong = new DmaBuf(FD, memory.address() % PAGE + shift, length);

        assertThatThrownBy(() -> pair.right().backend().register(new Exported(memory, Optional.of(wrong))))
                .isInstanceOfSatisfying(
                        WeftException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT))
                .hasMessageContaining("dma-buf");
        assertThat(fake.lastDmaBuf()).isZero();
    }

    @Test
    void aLibraryThatCannotIsNamed() throws Exception {
        open(Map.of(), "NO_DMABUF");
        MemorySpec memory = pair.memory(pair.right(), BYTES).spec();

        assertThatThrownBy(() -> pair.right().backend().register(new Exported(memory, Optional.of(export(memory, 0)))))
                .isInstanceOfSatisfying(
                        WeftException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNSUPPORTED))
                .hasMessageContaining("ibv_reg_dmabuf_mr");
    }

    @Test
    void deviceMemoryWithoutOneIsUnsupported() throws Exception {
        open(Map.of());
        MemorySpec memory = pair.memory(pair.right(), BYTES).spec();

        assertThatThrownBy(() -> pair.right().backend().register(new Exported(memory, Optional.empty())))
                .isInstanceOfSatisfying(
                        WeftException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNSUPPORTED));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void relaxedOrderingIsAskedForWhereItIsWanted(boolean wanted) throws Exception {
        open(Map.of("relaxed-ordering", Boolean.toString(wanted)));

        pair.memory(pair.right(), BYTES);

        assertThat(fake.lastAccess() & Ibv.RELAXED_ORDERING).isEqualTo(wanted ? Ibv.RELAXED_ORDERING : 0);
    }

    /** What travels inline was read when it was posted: a later change of the source is not seen. */
    @ParameterizedTest
    @CsvSource({"64, 64, 64, true", "64, 64, 65, false", "0, 64, 1, false", "64, 32, 16, false"})
    void shortWritesCarryTheirBytesInThemselves(int option, int device, int length, boolean inline) throws Exception {
        open(Map.of("inline", Integer.toString(option)), "MOST_INLINE=" + device);
        LonePair.Memory source = pair.memory(pair.left(), BYTES);
        LonePair.Memory target = pair.memory(pair.right(), BYTES);
        Link link = pair.connect(pair.left(), pair.right(), new RecordedLink());
        source.bytes().fill((byte) 1);
        fake.hold();
        long token = pair.post(
                link, OperationKind.WRITE, source, pair.imported(pair.left(), pair.right(), target), new long[] {
                    0, 0, length
                });
        source.bytes().fill((byte) 2);

        fake.release();

        assertThat(pair.left().completions().await(token, LonePair.PATIENCE).code())
                .isZero();
        assertThat(target.bytes().asSlice(0, length).toArray(ValueLayout.JAVA_BYTE))
                .containsOnly(inline ? 1 : 2);
    }
}
