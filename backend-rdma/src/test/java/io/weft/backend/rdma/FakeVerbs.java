package io.weft.backend.rdma;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.ffi.LibrarySearch;
import io.weft.ffi.NativeLibrary;
import java.io.IOException;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/** {@code src/test/c/fakeverbs.c} in the variant that a test wants, and the functions by which a test holds it. */
final class FakeVerbs {
    static final int DEVICE_FATAL = 8;
    static final int PORT_ERR = 10;

    private final NativeLibrary library;
    private final Path path;

    private FakeVerbs(Path path) {
        this.path = path;
        library = load(path);
    }

    /** Builds and loads it. */
    static FakeVerbs in(Path directory, String... defines) throws IOException, InterruptedException {
        return new FakeVerbs(compile(directory, defines));
    }

    /** Builds it as {@code libibverbs.so.1} in a directory of its own. */
    static Path compile(Path directory, String... defines) throws IOException, InterruptedException {
        Path library = directory.resolve("libibverbs.so.1");
        List<String> command = new ArrayList<>(List.of("gcc", "-shared", "-fPIC", "-O1", "-o", library.toString()));
        for (String define : defines) {
            command.add("-D" + define);
        }
        command.addAll(List.of("src/test/c/fakeverbs.c", "-lpthread"));
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

    String path() {
        return path.toString();
    }

    /** Calls a {@code fake_*} function that takes and gives ints or nothing. */
    private int call(boolean answers, String name, int... arguments) {
        ValueLayout[] parameters = new ValueLayout[arguments.length];
        Object[] values = new Object[arguments.length];
        for (int i = 0; i < arguments.length; i++) {
            parameters[i] = ValueLayout.JAVA_INT;
            values[i] = arguments[i];
        }
        MethodHandle function = library.function(
                "fake_" + name,
                answers
                        ? FunctionDescriptor.of(ValueLayout.JAVA_INT, parameters)
                        : FunctionDescriptor.ofVoid(parameters));
        try {
            Object answer = function.invokeWithArguments(values);
            return answers ? (int) answer : 0;
        } catch (Throwable thrown) {
            throw new AssertionError("fake_" + name, thrown);
        }
    }

    int openContexts() {
        return call(true, "open_contexts");
    }

    /** Domains, registrations, channels, completion queues and queue pairs that exist. */
    int objects() {
        return call(true, "objects");
    }

    /** Completions for which their queue had no room. */
    int overruns() {
        return call(true, "overruns");
    }

    int doorbells() {
        return call(true, "doorbells");
    }

    /** File descriptor of the dma-buf that was registered last. */
    int lastDmaBuf() {
        return call(true, "last_dmabuf");
    }

    /** Where in it. */
    int lastOffset() {
        return call(true, "last_offset");
    }

    /** Rights of the last registration. */
    int lastAccess() {
        return call(true, "last_access");
    }

    /** Requests posted. */
    int posted() {
        return call(true, "posted");
    }

    /** Requests stay unexecuted until {@link #step} or {@link #release}. */
    void hold() {
        call(false, "hold");
    }

    int step(int most) {
        return call(true, "step", most);
    }

    void release() {
        call(false, "release");
    }

    /** The request after so many more ends so. */
    void fail(int after, int status, int vendor) {
        call(false, "fail", after, status, vendor);
    }

    /** So many completions never arrive. */
    void lose(int completions) {
        call(false, "lose", completions);
    }

    /** The next post takes half of its chain and fails. */
    void refusePost(int errno) {
        call(false, "refuse_post", errno);
    }

    void linkDown(int device, boolean down) {
        call(false, "link_down", device, down ? 1 : 0);
    }

    void async(int device, int type, int port) {
        call(false, "async", device, type, port);
    }
}
