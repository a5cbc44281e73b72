package io.weft.tck.harness;

import io.weft.tck.TckConfig;
import java.io.File;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A process that holds targets. It ends when its standard input does, so none outlives the kit, whatever happens to it. Safe from
 * any thread.
 */
public final class TargetHost implements AutoCloseable {
    private static final Set<TargetHost> LIVE = ConcurrentHashMap.newKeySet();

    private final Process process;
    private final Path log;
    private final Clocks clocks;
    private final ObjectOutputStream calls;
    private final Map<Long, CompletableFuture<@Nullable Object>> waiting = new ConcurrentHashMap<>();
    private final AtomicLong ids = new AtomicLong();

    private TargetHost(Process process, Path log, Clocks clocks) throws IOException {
        this.process = process;
        this.log = log;
        this.clocks = clocks;
        this.calls = new ObjectOutputStream(process.getOutputStream());
        calls.flush();
        // A virtual thread would hold its carrier while it reads a pipe, and rules need carriers for threads of their
        // own.
        Thread.ofPlatform().daemon().name("weft-tck-replies").start(this::readReplies);
        LIVE.add(this);
    }

    /**
     * Starts a process on the same paths as this one.
     *
     * @param config the configuration of the run
     * @param clocks for the patience with its answers
     * @return the host
     */
    public static TargetHost start(TckConfig config, Clocks clocks) {
        try {
            Path log = Files.createTempFile("weft-tck-target-", ".log");
            Process process = new ProcessBuilder(command(config))
                    .redirectError(log.toFile())
                    .start();
            return new TargetHost(process, log, clocks);
        } catch (IOException failed) {
            throw new HarnessBroken("a target process could not be started: " + failed.getMessage(), failed);
        }
    }

    private static List<String> command(TckConfig config) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xshare:auto",
                "-XX:-CreateCoredumpOnCrash",
                "-XX:ErrorFile=/dev/null"));
        String modulePath = System.getProperty("jdk.module.path");
        String main = TargetProcess.class.getName();
        if (TargetHost.class.getModule().isNamed() && modulePath != null) {
            command.addAll(List.of(
                    "--enable-native-access=ALL-UNNAMED", "-p", modulePath, "--add-modules", "ALL-MODULE-PATH"));
            command.addAll(List.of("-m", TargetHost.class.getModule().getName() + "/" + main));
        } else {
            command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-cp", classPath(), main));
        }
        config.asProperties().forEach((key, value) -> command.add(key + "=" + value));
        return command;
    }

    /** The class path of this process, and before it what a runner, such as JUnit's console, gave a class loader of its own. */
    private static String classPath() {
        List<String> path = new ArrayList<>();
        ClassLoader loader = TargetHost.class.getClassLoader();
        while (loader instanceof URLClassLoader own) {
            for (URL url : own.getURLs()) {
                path.add(new File(URI.create(url.toString())).getPath());
            }
            loader = own.getParent();
        }
        path.add(System.getProperty("java.class.path"));
        return String.join(File.pathSeparator, path);
    }

    /**
     * Opens an engine in the process.
     *
     * @param spec what to open
     * @return the target
     */
    public Target open(EngineSpec spec) {
        int engine = (int) Objects.requireNonNull(call(0, "open", List.of(spec)));
        return (Target) Proxy.newProxyInstance(
                Target.class.getClassLoader(), new Class<?>[] {Target.class}, (proxy, method, arguments) -> {
                    if (method.getDeclaringClass() == Object.class) {
                        return method.getName().equals("equals")
                                ? proxy == arguments[0]
                                : method.invoke(process, arguments);
                    }
                    return call(engine, method.getName(), arguments == null ? List.of() : Arrays.asList(arguments));
                });
    }

    private @Nullable Object call(int engine, String method, List<? extends @Nullable Object> arguments) {
        long id = ids.incrementAndGet();
        CompletableFuture<@Nullable Object> reply = new CompletableFuture<>();
        waiting.put(id, reply);
        try {
            synchronized (calls) {
                calls.writeObject(new Wire.Call(id, engine, method, new ArrayList<>(arguments)));
                calls.reset();
                calls.flush();
            }
            if (!process.isAlive()) {
                throw new HarnessBroken("target process " + process.pid() + " has ended; its log: " + logTail());
            }
            return reply.get(clocks.scaled(Duration.ofSeconds(60)).toMillis(), TimeUnit.MILLISECONDS);
        } catch (IOException gone) {
            throw new HarnessBroken("target process " + process.pid() + " is gone; its log: " + logTail(), gone);
        } catch (TimeoutException late) {
            throw new HarnessBroken(
                    "target process " + process.pid() + " did not answer " + method + "; its log: " + logTail(), late);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new HarnessBroken("interrupted while the target process answered " + method, interrupted);
        } catch (ExecutionException failed) {
            switch (failed.getCause()) {
                case RuntimeException thrownThere -> throw thrownThere;
                case Error thrownThere -> throw thrownThere;
                case null, default -> throw new HarnessBroken("target process failed in " + method, failed);
            }
        } finally {
            waiting.remove(id);
        }
    }

    private void readReplies() {
        try (ObjectInputStream replies = new ObjectInputStream(process.getInputStream())) {
            while (true) {
                Wire.Reply reply = (Wire.Reply) replies.readObject();
                CompletableFuture<@Nullable Object> waits = waiting.get(reply.id());
                if (waits == null) {
                    continue; // its caller gave up
                }
                if (reply.failure() == null) {
                    waits.complete(reply.result());
                } else {
                    waits.completeExceptionally(reply.failure());
                }
            }
        } catch (IOException | ClassNotFoundException ended) {
            waiting.values()
                    .forEach(waits -> waits.completeExceptionally(new HarnessBroken(
                            "target process " + process.pid() + " ended; its log: " + logTail(), ended)));
        }
    }

    /** Ends the process without any chance to tell anybody, as a crash does. */
    public void kill() {
        process.destroyForcibly();
        try {
            if (!process.waitFor(clocks.mustHappen().toMillis(), TimeUnit.MILLISECONDS)) {
                throw new HarnessBroken("target process " + process.pid() + " survived SIGKILL");
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        LIVE.remove(this);
    }

    /** Stops the process where it stands (SIGSTOP). */
    public void stop() {
        signal("-STOP");
    }

    /** Lets a stopped process go on (SIGCONT). */
    public void resume() {
        signal("-CONT");
    }

    private void signal(String name) {
        try {
            Process kill = new ProcessBuilder("kill", name, Long.toString(process.pid()))
                    .inheritIO()
                    .start();
            if (!kill.waitFor(10, TimeUnit.SECONDS) || kill.exitValue() != 0) {
                throw new HarnessBroken("kill " + name + " " + process.pid() + " failed");
            }
        } catch (IOException failed) {
            throw new HarnessBroken("the command kill could not be run", failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Whether the process runs.
     *
     * @return false after its end
     */
    public boolean isAlive() {
        return process.isAlive();
    }

    /**
     * The end of what the process logged.
     *
     * @return at most forty lines
     */
    public String logTail() {
        try {
            List<String> lines = Files.readAllLines(log, StandardCharsets.UTF_8);
            return String.join("\n", lines.subList(Math.max(0, lines.size() - 40), lines.size()));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /**
     * Processes that were started and have not ended.
     *
     * @return a count, 0 when the kit is done
     */
    public static long live() {
        return LIVE.stream().filter(TargetHost::isAlive).count();
    }

    /** Ends the process by the end of its input; kills it if that does not help, which the count tells. */
    @Override
    public void close() {
        try {
            process.getOutputStream().close();
            if (process.waitFor(clocks.mustHappen().toMillis(), TimeUnit.MILLISECONDS)) {
                LIVE.remove(this);
                Files.deleteIfExists(log);
            } else {
                process.destroyForcibly();
                throw new HarnessBroken(
                        "target process " + process.pid() + " did not end when its input did: " + logTail());
            }
        } catch (IOException alreadyGone) {
            LIVE.remove(this);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
