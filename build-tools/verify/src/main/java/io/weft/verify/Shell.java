package io.weft.verify;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Starts commands in the root of the tree, each with a bound. */
final class Shell {

    private static final int NO_SUCH_COMMAND = 127;

    private final Path root;
    private final Map<String, String> environment;

    Shell(Path root, Map<String, String> environment) {
        this.root = root;
        this.environment = environment;
    }

    /**
     * How a command ended.
     *
     * @param status its exit status
     * @param timedOut whether it was killed because its time was up
     * @param output what it printed, if that was captured
     */
    record Result(int status, boolean timedOut, String output) {
        boolean succeeded() {
            return status == 0 && !timedOut;
        }
    }

    /** Runs a command that says something short at once; one that does not exist ends with status 127. */
    Result capture(List<String> command) throws IOException, InterruptedException {
        Process process;
        try {
            process = builder(command).redirectErrorStream(true).start();
        } catch (IOException e) {
            return new Result(NO_SUCH_COMMAND, false, String.valueOf(e.getMessage()));
        }
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Result(process.waitFor(), false, output);
    }

    /** Runs a command, its output appended to {@code log}, and kills it with all that it started when {@code bound} is over. */
    Result run(List<String> command, Path log, Duration bound) throws IOException, InterruptedException {
        Process process;
        try {
            process = builder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                    .redirectInput(
                            ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                    .start();
        } catch (IOException e) {
            return new Result(NO_SUCH_COMMAND, false, String.valueOf(e.getMessage()));
        }
        if (process.waitFor(bound.toMillis(), TimeUnit.MILLISECONDS)) {
            return new Result(process.exitValue(), false, "");
        }
        kill(process.toHandle());
        return new Result(process.waitFor(), true, "");
    }

    /** Kills what {@code process} has started, and it too unless it is this one. */
    static void kill(ProcessHandle process) {
        // Children first, while they can still be found through their parent.
        try (Stream<ProcessHandle> descendants = process.descendants()) {
            descendants.toList().forEach(ProcessHandle::destroyForcibly);
        }
        if (!process.equals(ProcessHandle.current())) {
            process.destroyForcibly();
        }
    }

    private ProcessBuilder builder(List<String> command) {
        ProcessBuilder builder = new ProcessBuilder(command).directory(root.toFile());
        builder.environment().putAll(environment);
        return builder;
    }
}
