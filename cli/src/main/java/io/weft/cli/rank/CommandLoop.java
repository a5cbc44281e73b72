package io.weft.cli.rank;

import io.weft.api.WeftException;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads commands until {@code quit} or the end of input. Commands are carried out in order on the reading thread; those that
 * only read buffers (verify, dump) run in order on a thread of their own, after all commands before them, so that a long
 * comparison does not hold up rooms. {@code zero} waits for them.
 */
final class CommandLoop {
    private static final long CHECKS_SECONDS = 600;

    private final MemoryOps memory;
    private final RoomOps rooms;
    private final Events events;
    private ExecutorService checker = newChecker();

    CommandLoop(MemoryOps memory, RoomOps rooms, Events events) {
        this.memory = memory;
        this.rooms = rooms;
        this.events = events;
    }

    private static ExecutorService newChecker() {
        return Executors.newSingleThreadExecutor(
                Thread.ofPlatform().name("rank-checks").daemon().factory());
    }

    void run(BufferedReader in) throws IOException {
        for (String text = in.readLine(); text != null; text = in.readLine()) {
            if (text.isBlank()) {
                continue;
            }
            Line line;
            try {
                line = new Line(JsonMapper.shared().readTree(text));
            } catch (JacksonException e) {
                line = new Line(JsonMapper.shared().createObjectNode());
                events.error(line, "not JSON: " + e.getOriginalMessage());
                continue;
            }
            if (line.op().equals("quit")) {
                break;
            }
            guarded(line, this::carryOut);
        }
        awaitChecks();
        events.tell(Events.event("bye"));
    }

    private interface Work {
        void on(Line line);
    }

    /** A command that fails answers with an error; the rank lives on. */
    private void guarded(Line line, Work work) {
        try {
            work.on(line);
        } catch (WeftException e) {
            events.error(line, e.getMessage());
        } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
            events.error(line, "bad argument: " + e.getMessage());
        }
    }

    private void carryOut(Line line) {
        switch (line.op()) {
            case "fill" -> filled(line, () -> memory.fill(line));
            case "poison" -> filled(line, () -> memory.poison(line));
            case "taint" -> filled(line, () -> memory.taint(line));
            case "zero" ->
                filled(line, () -> {
                    awaitChecks();
                    memory.zero();
                });
            case "verify" -> checker.execute(() -> guarded(line, l -> events.tell(memory.verify(l))));
            case "dump" -> checker.execute(() -> guarded(line, l -> events.tell(memory.dump(l))));
            case "" -> throw Line.invalid("'op' is missing");
            default -> rooms.carryOut(line);
        }
    }

    private void filled(Line line, Runnable work) {
        work.run();
        events.tell(Events.answer("filled", line));
    }

    private void awaitChecks() {
        checker.shutdown();
        try {
            if (!checker.awaitTermination(CHECKS_SECONDS, TimeUnit.SECONDS)) {
                checker.shutdownNow();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        checker = newChecker();
    }
}
