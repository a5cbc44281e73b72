package io.weft.replay.run;

import io.weft.replay.rank.RankException;
import io.weft.replay.rank.RankProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * A rank with no request open: what it counts, and what it should not have any more. Failed rooms drain in bounded time, so it
 * is given some.
 *
 * @param stats its {@code stats} answer, or an object with {@code error}
 * @param sizes what must not grow from one rest to the next, by name
 * @param left what is there and should not be
 */
record AtRest(JsonNode stats, Map<String, Long> sizes, List<String> left) {
    private static final Duration ANSWER = Duration.ofSeconds(10);
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final long AGAIN_NANOS = 200_000_000L;
    /** Not unheardRooms: a failed room is remembered for the bootstrap timeout on purpose, for decode ranks that come late. */
    private static final List<String> EMPTY_TABLES =
            List.of("rooms", "drainingRooms", "pendingRooms", "shardQueue", "leasedPages");

    private static final List<String> STEADY_TABLES = List.of("peers", "sockets", "prefillInstances");
    /** A prefill rank remembers decode ranks that died, up to {@code weft.kv.peers}: it cannot know that none comes back. */
    private static final String REMEMBERED = "peers";

    /** Blocks until nothing is left, at most a minute. */
    static AtRest await(RankProcess rank, ObjectNode question) {
        long giveUp = System.nanoTime() + PATIENCE_NANOS;
        while (true) {
            AtRest found = look(rank, question.deepCopy());
            if (found.left.isEmpty() || found.stats.has("error") || System.nanoTime() > giveUp) {
                return found;
            }
            LockSupport.parkNanos(AGAIN_NANOS);
        }
    }

    private static AtRest look(RankProcess rank, ObjectNode question) {
        JsonNode stats;
        try {
            stats = rank.ask(question, ANSWER);
        } catch (RankException e) {
            String text = String.valueOf(e.getMessage());
            return new AtRest(JsonMapper.shared().createObjectNode().put("error", text), Map.of(), List.of(text));
        }
        return new AtRest(stats, sizes(stats, rank.pid()), left(stats));
    }

    /** Rule OBS-1 and the tables of open work. */
    static List<String> left(JsonNode stats) {
        List<String> left = new ArrayList<>();
        JsonNode transfers = stats.path("transfers");
        long started = transfers.path("started").asLong();
        long inFlight = transfers.path("inFlight").asLong();
        long ended = transfers.path("succeeded").asLong()
                + transfers.path("failed").asLong()
                + transfers.path("cancelled").asLong();
        if (inFlight != 0) {
            left.add(inFlight + " transfers in flight");
        }
        if (started != ended + inFlight) {
            left.add(started + " transfers started, and " + ended + " ended with " + inFlight + " in flight");
        }
        for (String table : EMPTY_TABLES) {
            long size = stats.path("tables").path(table).asLong(0);
            if (size != 0) {
                left.add(size + " in " + table);
            }
        }
        for (Map.Entry<String, JsonNode> lease : stats.path("leases").properties()) {
            if (lease.getValue().asLong() != 0) {
                left.add(lease.getValue().asLong() + " leases " + lease.getKey());
            }
        }
        return left;
    }

    private static Map<String, Long> sizes(JsonNode stats, long pid) {
        Map<String, Long> sizes = new TreeMap<>();
        for (String table : STEADY_TABLES) {
            if (stats.path("tables").has(table)) {
                sizes.put(table, stats.path("tables").path(table).asLong());
            }
        }
        sizes.put(
                "registeredBytes",
                stats.path("transfers").path("registeredBytes").asLong());
        Path process = Path.of("/proc", String.valueOf(pid));
        count(process.resolve("fd")).ifPresent(count -> sizes.put("descriptors", count));
        count(process.resolve("task")).ifPresent(count -> sizes.put("threads", count));
        return sizes;
    }

    /** Empty where there is no /proc. */
    private static OptionalLong count(Path directory) {
        try (Stream<Path> entries = Files.list(directory)) {
            return OptionalLong.of(entries.count());
        } catch (IOException _) {
            return OptionalLong.empty();
        }
    }

    /**
     * What grew beyond what comes and goes, such as threads of the runtime.
     *
     * @param first the same rank at an earlier rest
     * @param kills processes killed meanwhile; what one of them leaves behind each time is found
     * @return a line for each, as "threads 31, then 60"
     */
    List<String> grownSince(AtRest first, int kills) {
        long allowed = Math.max(8, kills / 3);
        List<String> grown = new ArrayList<>();
        first.sizes.forEach((name, size) -> {
            long now = sizes.getOrDefault(name, 0L);
            long more = name.equals("registeredBytes") ? 0 : allowed;
            if (!name.equals(REMEMBERED) && now > size + more) {
                grown.add(name + " " + size + ", then " + now);
            }
        });
        return grown;
    }
}
