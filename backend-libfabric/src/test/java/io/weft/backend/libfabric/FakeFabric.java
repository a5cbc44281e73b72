package io.weft.backend.libfabric;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/** Compiles {@code src/test/c/fakefabric.c} in the variant that a test wants. */
final class FakeFabric {
    private FakeFabric() {}

    /** Builds it as {@code libfabric.so.1} in a directory of its own. */
    static Path compile(Path directory, String... defines) throws IOException, InterruptedException {
        Path library = directory.resolve("libfabric.so.1");
        List<String> command = new ArrayList<>(List.of("gcc", "-shared", "-fPIC", "-O1", "-o", library.toString()));
        for (String define : defines) {
            command.add("-D" + define);
        }
        command.add("src/test/c/fakefabric.c");
        Process gcc;
        try {
            gcc = new ProcessBuilder(command).redirectErrorStream(true).start();
        } catch (IOException absent) {
            Assumptions.abort("no gcc on PATH: the fake libfabric cannot be built (apt-get install gcc)");
            throw absent;
        }
        String output = new String(gcc.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(gcc.waitFor(60, TimeUnit.SECONDS)).as("gcc ends").isTrue();
        assertThat(gcc.exitValue()).as(output).isZero();
        return library;
    }
}
