package io.weft.engine.internal.control.socket;

import io.weft.api.EngineDescriptor;
import io.weft.api.ErrorCode;
import io.weft.engine.internal.control.ControlSession;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** An engine's control plane in a process of its own, and this process's handle on it. */
final class ControlChild implements AutoCloseable {
    private final Process process;
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
    private final List<String> seen = new ArrayList<>();
    final EngineDescriptor descriptor;

    /** Arguments: key, incarnation, port, heartbeat, suspect and lost in milliseconds. */
    ControlChild(String key, long incarnation, int port, int heartbeat, int suspect, int lost) throws Exception {
        process = new ProcessBuilder(
                        ProcessHandle.current().info().command().orElseThrow(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        "-XX:TieredStopAtLevel=1",
                        ControlChild.class.getName(),
                        key,
                        Long.toString(incarnation),
                        Integer.toString(port),
                        Integer.toString(heartbeat),
                        Integer.toString(suspect),
                        Integer.toString(lost))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        Thread.ofPlatform().daemon().start(this::read);
        String[] ready = awaitLine("ready ").split(" ");
        descriptor = new EngineDescriptor(
                key,
                new io.weft.engine.NodeMarker("node", 1, 0, incarnation).format(),
                "localhost",
                "127.0.0.1",
                Integer.parseInt(ready[1]),
                (int) process.pid());
    }

    void signal(String name) throws Exception {
        int rc = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                .start()
                .waitFor();
        if (rc != 0) {
            throw new IOException("kill -" + name + " failed");
        }
    }

    void killAndWait() throws Exception {
        process.destroyForcibly().waitFor();
    }

    /** The next line that starts so; what came before is kept in {@link #seen}. */
    String awaitLine(String prefix) throws InterruptedException {
        long deadline = TestEngine.deadline();
        while (deadline - System.nanoTime() > 0) {
            String line = lines.poll(100, TimeUnit.MILLISECONDS);
            if (line != null) {
                seen.add(line);
                if (line.startsWith(prefix)) {
                    return line;
                }
            } else if (!process.isAlive()) {
                break;
            }
        }
        throw new AssertionError("no line '" + prefix + "' from the child, but " + seen);
    }

    List<String> seen() {
        lines.drainTo(seen);
        return seen;
    }

    private void read() {
        try (BufferedReader in = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                lines.add(line);
            }
        } catch (IOException gone) {
            lines.add("gone");
        }
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }

    public static void main(String[] args) throws Exception {
        RecordingHandler handler = new RecordingHandler(args[0], Long.parseLong(args[1])) {
            @Override
            public void onOpen(ControlSession session) {
                super.onOpen(session);
                System.out.println("open " + session.peer().key());
            }

            @Override
            public void onLiveness(ControlSession session) {
                System.out.println(session.state() + " " + session.peer().key());
            }

            @Override
            public void onClosed(ControlSession session, ErrorCode code, String text) {
                super.onClosed(session, code, text);
                System.out.println("closed " + session.peer().key() + " " + code + " " + text);
            }

            @Override
            public void message(ControlSession from, String backend, byte[] message) {
                System.out.println("message " + new String(message, StandardCharsets.UTF_8));
            }
        };
        try (TestEngine engine = new TestEngine(
                handler,
                s -> s.listen("127.0.0.1", Integer.parseInt(args[2]))
                        .heartbeat(millis(args[3]), millis(args[4]), millis(args[5])))) {
            System.out.println("ready " + engine.address.port());
            // Ends with its parent.
            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)).readLine();
        }
    }

    private static Duration millis(String text) {
        return Duration.ofMillis(Long.parseLong(text));
    }
}
