package io.weft.ffi;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/** Compiles small C libraries for tests. */
public final class TestLibrary {
    private TestLibrary() {}

    /** Compiles with further options of gcc's behind the source, such as {@code -DNAME}. */
    public static Path compile(Path directory, String soname, String source, String... options)
            throws IOException, InterruptedException {
        Assumptions.assumeTrue(hasCompiler(), "no gcc on PATH: the fake library cannot be built (apt-get install gcc)");
        Path c = directory.resolve(soname + ".c");
        Files.writeString(c, source);
        Path library = directory.resolve(soname);
        List<String> command = new ArrayList<>(
                List.of("gcc", "-shared", "-fPIC", "-Wl,-soname," + soname, "-o", library.toString(), c.toString()));
        command.addAll(List.of(options));
        Process gcc = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(gcc.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(gcc.waitFor(60, TimeUnit.SECONDS)).as("gcc ends").isTrue();
        assertThat(gcc.exitValue()).as(output).isZero();
        return library;
    }

    private static boolean hasCompiler() throws InterruptedException {
        try {
            return new ProcessBuilder("gcc", "--version")
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .redirectError(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException absent) {
            return false;
        }
    }
}
