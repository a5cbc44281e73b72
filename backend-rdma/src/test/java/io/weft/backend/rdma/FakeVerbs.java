package io.weft.backend.rdma;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.ffi.LibrarySearch;
import io.weft.ffi.NativeLibrary;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/** Compiles {@code src/test/c/fakeverbs.c} in the variant that a test wants. */
final class FakeVerbs {
    private FakeVerbs() {}

    /** Builds it as {@code libibverbs.so.1} in a directory of its own. */
    static Path compile(Path directory, String... defines) throws IOException, InterruptedException {
        Path library = directory.resolve("libibverbs.so.1");
        List<String> command = new ArrayList<>(List.of("gcc", "-shared", "-fPIC", "-O1", "-o", library.toString()));
        for (String define : defines) {
            command.add("-D" + define);
        }
        command.add("src/test/c/fakeverbs.c");
        Process gcc;
        try {
            gcc = new ProcessBuilder(command).redirectErrorStream(true).start();
        } catch (IOException absent) {
            Assumptions.abort("no gcc on PATH: the fake libibverbs cannot be built (apt-get install gcc)");
            throw absent;
        }
        String output = new String(gcc.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(gcc.waitFor(60, TimeUnit.SECONDS)).as("gcc ends").isTrue();
        assertThat(gcc.exitValue()).as(output).isZero();
        return library;
    }

    static NativeLibrary load(Path library) {
        return LibrarySearch.of(List.of(library.toString())).run().library().orElseThrow();
    }
}
