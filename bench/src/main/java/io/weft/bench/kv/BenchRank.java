package io.weft.bench.kv;

import io.weft.api.MemoryLocation;
import io.weft.api.TransferEngine;
import io.weft.config.ConfigurationSources;
import io.weft.engine.Weft;
import io.weft.kv.KvSettings;
import io.weft.kv.RankConfig;
import io.weft.kv.layout.BufferSpec;
import io.weft.kv.layout.KvArgs;
import io.weft.kv.layout.ParallelLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** A rank's engine over the tcp backend, and its memory. */
final class BenchRank implements AutoCloseable {
    /** Bytes of one head of one token: 128 elements of two bytes. */
    static final int HEAD_BYTES = 256;

    static final int PAGE_SIZE = 16;

    final TransferEngine engine;
    final RankConfig config;
    private final Arena arena = Arena.ofShared();
    private final List<MemorySegment> kv = new ArrayList<>();

    /**
     * Opens the engine.
     *
     * @param name of the engine
     * @param tp TP size
     * @param rank TP rank
     * @param shape the model and how much of it fits
     * @param registry as {@code host:port}
     */
    BenchRank(String name, int tp, int rank, Shape shape, String registry) {
        engine = Weft.builder()
                .configuration(ConfigurationSources.none(Path.of("")))
                .name(name)
                .option("weft.backends.allow", "tcp")
                .open();
        ParallelLayout layout = new ParallelLayout(tp, rank, 1, 0, 1, 0, 1, 0, 1, 0);
        config = RankConfig.of(args(shape, tp, rank), layout, registry);
    }

    /**
     * What a rank holds.
     *
     * @param layers layers, each with K and V
     * @param heads heads of the model
     * @param pages pages per buffer
     * @param auxRows rows of the only aux buffer, 64 bytes each
     */
    record Shape(int layers, int heads, int pages, int auxRows) {
        long itemLen(int tp) {
            return (long) PAGE_SIZE * heads / tp * HEAD_BYTES;
        }

        Shape withPages(int count) {
            return new Shape(layers, heads, count, auxRows);
        }
    }

    static KvSettings settings() {
        return KvSettings.with(Map.of("weft.kv.input.timeout", "1h", "weft.kv.waiting.timeout", "1h"));
    }

    /** The first bytes of every page, different for each, so that what arrives can be told from what was there. */
    void mark(long seed) {
        for (int i = 0; i < kv.size(); i++) {
            MemorySegment buffer = kv.get(i);
            for (long at = 0; at < buffer.byteSize(); at += 4_096) {
                buffer.set(ValueLayout.JAVA_LONG_UNALIGNED, at, seed ^ (at * 31 + i));
            }
        }
    }

    MemorySegment kv(int buffer) {
        return kv.get(buffer);
    }

    @Override
    public void close() {
        engine.close(Duration.ofSeconds(2));
        arena.close();
    }

    private KvArgs args(Shape shape, int tp, int rank) {
        long item = shape.itemLen(tp);
        for (int i = 0; i < 2 * shape.layers(); i++) {
            kv.add(arena.allocate(shape.pages() * item, 4_096));
        }
        MemorySegment aux = arena.allocate(64L * shape.auxRows(), 64);
        return KvArgs.builder()
                .engineRank(rank)
                .pageSize(PAGE_SIZE)
                .organisation(false, false, false)
                .heads(shape.heads() / tp, shape.heads())
                .startLayer(0)
                .kv(kv.stream().map(s -> spec(s, item)).toList())
                .layerIds(IntStream.range(0, kv.size())
                        .mapToObj(i -> i % shape.layers())
                        .toList())
                .aux(List.of(spec(aux, 64)))
                .build();
    }

    private static BufferSpec spec(MemorySegment memory, long itemLen) {
        return new BufferSpec(memory.address(), memory.byteSize(), itemLen, MemoryLocation.HOST);
    }
}
