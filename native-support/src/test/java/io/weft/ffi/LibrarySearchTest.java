package io.weft.ffi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class LibrarySearchTest {
    @TempDir
    Path directory;

    @Test
    void reportsEveryPlaceWithTheLoadersReason() throws Exception {
        Path broken = Files.writeString(directory.resolve("libbroken.so.1"), "no ELF file");
        LibrarySearch.Result result = LibrarySearch.of(List.of(
                        "libweft-nowhere.so.1", directory.resolve("absent.so").toString(), broken.toString()))
                .run();

        assertThat(result.library()).isEmpty();
        assertThat(result.attempts())
                .hasSize(3)
                .allSatisfy(attempt -> assertThat(attempt.error()).isNotEmpty());
        assertThat(result.lines().get(0)).startsWith("libweft-nowhere.so.1: ").contains("No such file");
        assertThat(result.lines().get(2)).contains("libbroken.so.1: ").contains("file too short");
    }

    @Test
    void findsTheFirstThatLoadsAndItsRealFile() throws Exception {
        Path real = TestLibrary.compile(directory, "libweft-test.so.3.1.4", "int weft_answer(void) { return 42; }");
        Path link = Files.createSymbolicLink(directory.resolve("libweft-test.so.3"), real);
        LibrarySearch.Result result = LibrarySearch.of(List.of("libweft-nowhere.so.1", link.toString()))
                .run();

        NativeLibrary library = result.library().orElseThrow();
        assertThat(result.lines()).hasSize(2).last().asString().isEqualTo(link + ": loaded");
        assertThat(library.path()).isEqualTo(real.toRealPath().toString());
        assertThat(library.fileVersion()).isEqualTo("3.1.4");
        MethodHandle answer = library.function("weft_answer", FunctionDescriptor.of(ValueLayout.JAVA_INT));
        assertThat((int) invoke(answer)).isEqualTo(42);
    }

    @Test
    void namesLibraryAndSymbolWhenAFunctionIsMissing() throws Exception {
        Path real = TestLibrary.compile(directory, "libweft-old.so.1", "int weft_old(void) { return 1; }");
        NativeLibrary library =
                LibrarySearch.of(List.of(real.toString())).run().library().orElseThrow();

        assertThat(library.find("weft_new")).isEmpty();
        assertThatThrownBy(() -> library.function("weft_new", FunctionDescriptor.of(ValueLayout.JAVA_INT)))
                .isInstanceOf(MissingSymbolException.class)
                .hasMessageContaining(real.toString())
                .hasMessageContaining("weft_new");
    }

    @Test
    void anExplicitDirectoryHoldsTheSonameAndExcludesOtherPlaces() {
        LibrarySearch.Result result = LibrarySearch.forLibrary(
                        directory.toString(), "libweft-x.so.1", List.of("/usr/lib64"))
                .run();

        assertThat(result.attempts())
                .extracting(LibrarySearch.Attempt::place)
                .containsExactly(directory.resolve("libweft-x.so.1").toString());
    }

    private static Object invoke(MethodHandle handle) throws Exception {
        try {
            return handle.invoke();
        } catch (Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }
}
