package io.weft.backend.libfabric;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/** Compiles a fake libfabric of {@code src/test/c}, in the variant that a test wants, and the fake driver that one of them copies with. */
final class FakeFabric {
    private FakeFabric() {}

    /** Builds it as {@code libfabric.so.1} in a directory of its own. */
    static Path compile(Path directory, String... defines) throws IOException, InterruptedException {
        return compile(Path.of("src/test/c/fakefabric.c"), directory.resolve("libfabric.so.1"), defines);
    }

    /** Builds the one whose provider moves device memory. */
    static Path compileWithDevices(Path directory, String... defines) throws IOException, InterruptedException {
        Assumptions.assumeTrue(
                Files.exists(Path.of("/usr/include/rdma/fabric.h")),
                "no headers of libfabric: its fake cannot be built (apt-get install libfabric-dev)");
        return compile(Path.of("src/test/c/fakehmem.c"), directory.resolve("libfabric.so.1"), defines);
    }

    /** Builds a CUDA driver; once loaded under the real one's soname, whoever asks for that in this process gets it. */
    static Path compileDriver(Path directory) throws IOException, InterruptedException {
        Path source = Path.of("../native-support/src/test/resources/io/weft/ffi/device/fake_gpu.c");
        return compile(source, directory.resolve("libcuda.so.1"), "FAKE_CUDA", "-Wl,-soname,libcuda.so.1");
    }

    private static Path compile(Path source, Path library, String... defines) throws IOException, InterruptedException {
        List<String> command =
                new ArrayList<>(List.of("gcc", "-shared", "-fPIC", "-O1", "-pthread", "-o", library.toString()));
        // A fake libfabric has no soname: other tests of this process ask for the real one by that name.
        for (String define : defines) {
            command.add(define.startsWith("-") ? define : "-D" + define);
        }
        command.add(source.toString());
        Process gcc;
        try {
            gcc = new ProcessBuilder(command).redirectErrorStream(true).start();
        } catch (IOException absent) {
            Assumptions.abort("no gcc on PATH: the fake library cannot be built (apt-get install gcc)");
            throw absent;
        }
        String output = new String(gcc.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(gcc.waitFor(60, TimeUnit.SECONDS)).as("gcc ends").isTrue();
        assertThat(gcc.exitValue()).as(output).isZero();
        return library;
    }
}
