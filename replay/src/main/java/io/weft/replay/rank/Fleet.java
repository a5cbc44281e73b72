package io.weft.replay.rank;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.json.JsonMapper;

/**
 * The processes of a replay: one registry, the ranks of both sides. Each is held by its own handle; closing the fleet ends
 * them all, and their input ends with this process in any case.
 *
 * <p>Safe from any thread.
 */
public final class Fleet implements AutoCloseable {
    /** How long a process may take to be ready, on a machine that is busy starting the others. */
    private static final Duration START = Duration.ofSeconds(180);

    private static final ObjectMapper JSON = JsonMapper.shared();

    private final Function<List<String>, List<String>> weft;
    private final List<String> sharedOptions;
    private final List<String> rankOptions;
    private final Path directory;
    private final Map<String, RankProcess> ranks = new TreeMap<>();
    private RankProcess registry;
    private int registryPort;

    /**
     * Starts everything and waits until it is ready.
     *
     * @param weft makes the command line of a {@code weft} process from its arguments
     * @param prefill layouts of the prefill side
     * @param decode layouts of the decode side
     * @param sharedOptions arguments of every process, such as configuration
     * @param rankOptions further arguments of every rank, such as {@code --backend tcp}
     * @param directory for layout files and logs
     */
    public Fleet(
            Function<List<String>, List<String>> weft,
            RankLayout prefill,
            RankLayout decode,
            List<String> sharedOptions,
            List<String> rankOptions,
            Path directory) {
        this.weft = weft;
        this.sharedOptions = List.copyOf(sharedOptions);
        this.rankOptions = List.copyOf(rankOptions);
        this.directory = directory;
        try {
            registry = startRegistry();
            writeLayouts(Side.PREFILL, prefill);
            writeLayouts(Side.DECODE, decode);
            startAll(Side.PREFILL, prefill.tp() * prefill.pp());
            startAll(Side.DECODE, decode.tp() * decode.pp());
            ranks.values().forEach(rank -> rank.awaitReady(START));
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    private RankProcess startRegistry() {
        List<String> arguments =
                new ArrayList<>(List.of("bootstrap", "--host", "127.0.0.1", "--port", String.valueOf(registryPort)));
        arguments.addAll(sharedOptions);
        RankProcess process = new RankProcess("registry", weft.apply(arguments), directory.resolve("registry.log"));
        JsonNode ready = process.awaitReady(START);
        registryPort = ready.path("port").asInt();
        return process;
    }

    private void writeLayouts(Side side, RankLayout layout) {
        for (int i = 0; i < layout.tp() * layout.pp(); i++) {
            try {
                Files.writeString(layoutFile(side, i), JSON.writeValueAsString(layout.of(i)));
            } catch (IOException e) {
                throw new UncheckedIOException("cannot write the layout of " + side.rankName(i), e);
            }
        }
    }

    private Path layoutFile(Side side, int rank) {
        return directory.resolve(side.rankName(rank).replace('/', '-') + ".json");
    }

    private void startAll(Side side, int count) {
        for (int i = 0; i < count; i++) {
            RankProcess started = start(side, i);
            synchronized (this) {
                ranks.put(side.rankName(i), started);
            }
        }
    }

    private RankProcess start(Side side, int rank) {
        List<String> arguments = new ArrayList<>(List.of(
                "rank",
                "--role",
                side.role(),
                "--bootstrap",
                "127.0.0.1:" + registryPort,
                "--layout",
                layoutFile(side, rank).toString()));
        arguments.addAll(sharedOptions);
        arguments.addAll(rankOptions);
        String name = side.rankName(rank);
        return new RankProcess(name, weft.apply(arguments), directory.resolve(name.replace('/', '-') + ".log"));
    }

    /**
     * The ranks of a side.
     *
     * @param side which
     * @return in rank order
     */
    public synchronized List<RankProcess> ranks(Side side) {
        return ranks.entrySet().stream()
                .filter(e -> e.getKey().startsWith(side.role()))
                .sorted(Map.Entry.comparingByKey((a, b) -> Integer.compare(Side.number(a), Side.number(b))))
                .map(Map.Entry::getValue)
                .toList();
    }

    /**
     * Kills a rank and starts it anew. Blocks until the new one is ready.
     *
     * @param side which side
     * @param rank which rank
     */
    public void restart(Side side, int rank) {
        RankProcess old = ranks(side).get(rank);
        old.kill();
        RankProcess fresh = start(side, rank);
        synchronized (this) {
            ranks.put(side.rankName(rank), fresh);
        }
        fresh.awaitReady(START);
    }

    /** Kills the registry and starts it anew at the same port. Blocks until the new one is ready. */
    public void restartRegistry() {
        registry.kill();
        registry = startRegistry();
    }

    /** Ends all processes. Bounded; idempotent. */
    @Override
    public void close() {
        List<RankProcess> all;
        synchronized (this) {
            all = new ArrayList<>(ranks.values());
        }
        if (registry != null) {
            all.add(registry);
        }
        List<Thread> closing = all.stream()
                .map(rank -> Thread.ofVirtual().name("close-" + rank.name()).start(rank::close))
                .toList();
        for (Thread thread : closing) {
            try {
                thread.join(START);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }
}
