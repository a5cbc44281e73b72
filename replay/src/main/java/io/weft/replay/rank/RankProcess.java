package io.weft.replay.rank;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * A {@code weft rank} process and its command language. Safe from any thread; no method waits longer than the bound it is
 * given.
 */
public final class RankProcess implements AutoCloseable {
    private final String name;
    private final JsonProcess process;
    private final CompletableFuture<JsonNode> ready = new CompletableFuture<>();
    private final Map<Long, CompletableFuture<JsonNode>> answers = new ConcurrentHashMap<>();
    private final AtomicLong ids = new AtomicLong();
    private final Rooms rooms = new Rooms();
    private volatile String ended = "";

    /**
     * Starts a rank.
     *
     * @param name as in {@code prefill/0}
     * @param command its command line
     * @param log where its standard error goes
     */
    public RankProcess(String name, List<String> command, Path log) {
        this.name = name;
        this.process = new JsonProcess(name, command, log, this::onEvent, this::onExit);
    }

    private void onEvent(JsonNode event) {
        switch (event.path("event").asString("")) {
            case "ready" -> ready.complete(event);
            case "room" -> onRoom(event);
            case "error" -> onError(event);
            default -> {
                CompletableFuture<JsonNode> answer =
                        answers.remove(event.path("id").asLong(-1));
                if (answer != null) {
                    answer.complete(event);
                }
            }
        }
    }

    private void onRoom(JsonNode event) {
        String status = event.path("status").asString("");
        boolean success = status.equals("Success");
        if (success || status.equals("Failed")) {
            rooms.end(event.path("room").asLong())
                    .complete(new RoomEnd(
                            success,
                            event.path("bytes").asLong(0),
                            event.path("errorCode").asString(""),
                            event.path("reason").asString("")));
        }
    }

    private void onError(JsonNode event) {
        String text = name + " refused " + event.path("op").asString("?") + ": "
                + event.path("text").asString("");
        CompletableFuture<JsonNode> answer = answers.remove(event.path("id").asLong(-1));
        if (answer != null) {
            answer.completeExceptionally(new RankException(text));
        } else if (event.hasNonNull("room")) {
            rooms.end(event.path("room").asLong()).complete(new RoomEnd(false, 0, "", text));
        }
    }

    private void onExit(String reason) {
        ended = reason;
        ready.completeExceptionally(new RankException(reason + "\n" + process.logTail()));
        answers.values().forEach(answer -> answer.completeExceptionally(new RankException(reason)));
        rooms.failAll(reason);
    }

    /**
     * Waits until it can be used.
     *
     * @param timeout the bound
     * @return its {@code ready} event
     */
    public JsonNode awaitReady(Duration timeout) {
        return get(ready, "ready", timeout);
    }

    /**
     * Sends a command that has an answer.
     *
     * @param op the command; gets an id
     * @param timeout the bound
     * @return the answer
     * @throws RankException if the rank refuses, ends or does not answer in time
     */
    public JsonNode ask(ObjectNode op, Duration timeout) {
        long id = ids.incrementAndGet();
        CompletableFuture<JsonNode> answer = new CompletableFuture<>();
        answers.put(id, answer);
        op.put("id", id);
        // A process that does not read has ended or is about to; why is known once it has.
        process.send(op);
        if (!ended.isEmpty()) {
            answer.completeExceptionally(new RankException(ended));
        }
        try {
            return get(answer, op.path("op").asString(), timeout);
        } finally {
            answers.remove(id);
        }
    }

    /**
     * Sends a command that has no answer.
     *
     * @param op the command
     */
    public void tell(ObjectNode op) {
        process.send(op);
    }

    /**
     * The end of a room here.
     *
     * @param room room id
     * @return completes once, with the rank's own end if it dies
     */
    public CompletableFuture<RoomEnd> roomEnd(long room) {
        CompletableFuture<RoomEnd> end = rooms.end(room);
        if (!ended.isEmpty()) {
            end.complete(RoomEnd.failed(ended));
        }
        return end;
    }

    /**
     * Forgets a room.
     *
     * @param room room id
     */
    public void forget(long room) {
        rooms.forget(room);
    }

    private JsonNode get(CompletableFuture<JsonNode> answer, String what, Duration timeout) {
        try {
            return answer.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            Throwable cause = e.getCause();
            throw new RankException(String.valueOf(cause == null ? null : cause.getMessage()));
        } catch (TimeoutException _) {
            throw new RankException(
                    name + " did not answer '" + what + "' within " + timeout.toSeconds() + " s\n" + process.logTail());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RankException("interrupted while waiting for '" + what + "' of " + name);
        }
    }

    /**
     * A new command.
     *
     * @param op name of the command
     * @return the line to fill
     */
    public static ObjectNode op(String op) {
        return JsonMapper.shared().createObjectNode().put("op", op);
    }

    /**
     * The rank's name.
     *
     * @return as in {@code prefill/0}
     */
    public String name() {
        return name;
    }

    /**
     * How other engines name its engine.
     *
     * @return the key, empty until the process is ready
     */
    public String engineKey() {
        return ready.isDone() && !ready.isCompletedExceptionally()
                ? ready.join().path("engineKey").asString("")
                : "";
    }

    /**
     * Whether the process runs.
     *
     * @return false once it has ended
     */
    public boolean isAlive() {
        return process.isAlive();
    }

    /**
     * The process.
     *
     * @return its pid
     */
    public long pid() {
        return process.pid();
    }

    /** Kills it as {@code kill -9} does. */
    public void kill() {
        process.kill();
    }

    /** Ends it. Bounded. */
    @Override
    public void close() {
        process.close();
    }
}
