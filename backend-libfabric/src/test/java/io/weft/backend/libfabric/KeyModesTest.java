package io.weft.backend.libfabric;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.spi.Link;
import io.weft.spi.OperationKind;
import io.weft.spi.RemoteMemory;
import io.weft.testkit.lone.LoneContext;
import io.weft.testkit.lone.LonePair;
import io.weft.testkit.lone.RecordedLink;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The ways in which providers hand out keys that none of the installed ones has, over a fake libfabric. */
@Timeout(60)
@SuppressWarnings("restricted") // asks the fake what it holds
class KeyModesTest {
    private static final int BYTES = 10_000;

    @TempDir
    Path directory;

    private static int mappedKeys(Path library) throws Throwable {
        return (int) Linker.nativeLinker()
                .downcallHandle(
                        SymbolLookup.libraryLookup(library, Arena.global()).findOrThrow("fake_mapped"),
                        FunctionDescriptor.of(ValueLayout.JAVA_INT))
                .invoke();
    }

    @ParameterizedTest
    @ValueSource(strings = {"FI_MR_RAW", "FI_MR_ENDPOINT", "(FI_MR_RAW|FI_MR_ENDPOINT)"})
    void movesBytesForEveryPeerAndTakesAKeyBackFromAll(String mode) throws Throwable {
        Path library = FakeFabric.compileWithDevices(directory, "MODE=" + mode);
        Map<String, String> options = Map.of("library", library.toString(), "provider", "tcp");
        LonePair pair = new LonePair(new LibfabricProvider(), options);
        LoneContext third = pair.context("third", options);
        LonePair.Memory target = pair.memory(pair.right(), BYTES);
        LonePair.Memory kept = pair.memory(pair.right(), BYTES);

        for (LoneContext initiator : new LoneContext[] {pair.left(), third}) {
            LonePair.Memory source = pair.memory(initiator, BYTES);
            byte[] content = new byte[BYTES];
            new Random(BYTES).nextBytes(content);
            Link link = pair.connect(initiator, pair.right(), new RecordedLink());
            // Keys of a region that hangs on endpoints are made for the peer's one: the link comes first.
            RemoteMemory remote = pair.imported(initiator, pair.right(), target);
            RemoteMemory other = pair.imported(initiator, pair.right(), kept);
            source.bytes().copyFrom(MemorySegment.ofArray(content));

            assertThat(pair.run(initiator, link, OperationKind.WRITE, source, remote, new long[] {0, 0, BYTES})
                            .code())
                    .isZero();
            assertThat(target.bytes().toArray(ValueLayout.JAVA_BYTE)).isEqualTo(content);
            source.bytes().fill((byte) 0);
            assertThat(pair.run(initiator, link, OperationKind.READ, source, remote, new long[] {0, 0, BYTES})
                            .code())
                    .isZero();
            assertThat(source.bytes().toArray(ValueLayout.JAVA_BYTE)).isEqualTo(content);
            assertThat(pair.run(initiator, link, OperationKind.WRITE, source, other, new long[] {0, 0, 8})
                            .code())
                    .isZero();
            target.bytes().fill((byte) 7);
            initiator.backend().releaseKey(other);
            if (initiator == third) {
                assertThat(pair.right().backend().deregister(target.local(), LonePair.deadline()))
                        .isTrue();
                assertThat(pair.run(initiator, link, OperationKind.WRITE, source, remote, new long[] {0, 0, 8})
                                .code())
                        .isNotZero();
            }
            initiator.backend().releaseKey(remote);
            link.close();
        }
        assertThat(target.bytes().toArray(ValueLayout.JAVA_BYTE)).containsOnly(7);
        assertThat(mappedKeys(library)).isZero();
        pair.close();
    }
}
