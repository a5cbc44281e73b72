package io.weft.backend.libfabric;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.api.ErrorCode;
import io.weft.spi.Link;
import io.weft.spi.OperationKind;
import io.weft.spi.RemoteMemory;
import io.weft.testkit.CopiedOperation;
import io.weft.testkit.lone.LonePair;
import io.weft.testkit.lone.RecordedLink;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A fake libfabric that refuses to close endpoints at first, as verbs;ofi_rxm does while it sets up or takes down a connection. */
@Timeout(60)
@SuppressWarnings("restricted") // asks the fake what it saw
class RefusedCloseTest {
    @TempDir
    Path directory;

    private static int count(Path library, String name) throws Throwable {
        return (int) Linker.nativeLinker()
                .downcallHandle(
                        SymbolLookup.libraryLookup(library, Arena.global()).findOrThrow(name),
                        FunctionDescriptor.of(ValueLayout.JAVA_INT))
                .invoke();
    }

    @Test
    void aRefusedCloseIsTriedAgainAndItsQueueIsReadNoMore() throws Throwable {
        Path library = FakeFabric.compileWithDevices(directory, "BUSY=2");
        LonePair pair = new LonePair(new LibfabricProvider(), Map.of("library", library.toString(), "provider", "tcp"));
        LonePair.Memory source = pair.memory(pair.left(), 4096);
        RemoteMemory remote = pair.imported(pair.left(), pair.right(), pair.memory(pair.right(), 4096));
        Link link = pair.connect(pair.left(), pair.right(), new RecordedLink());
        assertThat(pair.run(pair.left(), link, OperationKind.WRITE, source, remote, new long[] {0, 0, 4096})
                        .code())
                .isZero();

        assertThat(link.fence(LonePair.deadline())).isFalse();
        assertThat(link.fence(LonePair.deadline())).isFalse();
        assertThat(count(library, "fake_refused")).isEqualTo(2);
        assertThat(link.post(
                        new CopiedOperation(99, OperationKind.WRITE, source.local(), remote, new long[] {0, 0, 8})))
                .isEqualTo(ErrorCode.PEER_LOST.number());
        assertThat(link.fence(LonePair.deadline())).isTrue();

        pair.close();
        assertThat(count(library, "fake_reads_of_broken")).isZero();
    }
}
