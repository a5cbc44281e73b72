package io.weft.backend.libfabric;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What libfabric finds in its environment, seen by a fake one while it is loaded; a process for each case, about 2 s. */
@Tag("long")
@Timeout(60)
class OfiLoaderTest {
    @TempDir
    Path directory;

    @ParameterizedTest
    @CsvSource({"'', 1", "0, 0"})
    void connectionsShareAReceiveContextUnlessTheDeployerSaysOtherwise(String deployers, String seen) throws Exception {
        Path library = FakeFabric.compileWithDevices(directory);
        ProcessBuilder builder = new ProcessBuilder(
                        ProcessHandle.current().info().command().orElseThrow(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        OfiLoaderTest.class.getName(),
                        library.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().remove(OfiLoader.SHARED_RECEIVE);
        if (!deployers.isEmpty()) {
            builder.environment().put(OfiLoader.SHARED_RECEIVE, deployers);
        }
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(output.strip()).isEqualTo(seen);
    }

    /** The process: loads the library that it is given and prints what that saw. */
    @SuppressWarnings("restricted")
    public static void main(String[] args) throws Throwable {
        OfiLoader.Loaded loaded = OfiLoader.load(args[0]);
        if (loaded.ofi().isEmpty()) {
            throw new IllegalStateException(loaded.firstFailure());
        }
        MemorySegment text = (MemorySegment) Linker.nativeLinker()
                .downcallHandle(
                        SymbolLookup.libraryLookup(Path.of(args[0]), Arena.global())
                                .findOrThrow("fake_srx_at_load"),
                        FunctionDescriptor.of(ValueLayout.ADDRESS))
                .invoke();
        System.out.println(text.reinterpret(16).getString(0));
    }
}
