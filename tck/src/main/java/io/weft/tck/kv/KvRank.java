package io.weft.tck.kv;

import io.weft.kv.DecodeManager;
import io.weft.kv.KvReceiver;
import io.weft.kv.KvSender;
import io.weft.kv.KvSettings;
import io.weft.kv.KvStats;
import io.weft.kv.PrefillManager;
import io.weft.kv.RankConfig;
import io.weft.kv.RankDirectory;
import io.weft.kv.layout.ParallelLayout;
import io.weft.kv.wire.NetworkAddress;
import io.weft.tck.harness.EngineTarget;
import io.weft.tck.harness.KvRooms;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** One rank with an engine and memory of its own. Confined to the test's thread. */
public final class KvRank implements KvRooms, AutoCloseable {
    private final EngineTarget side;
    private final KvMemory memory;
    private final String registry;
    private final @Nullable PrefillManager prefill;
    private final @Nullable DecodeManager decode;

    /** What all ranks of a case share. */
    record Surroundings(String registry, RankDirectory directory, Map<String, String> options) {}

    KvRank(boolean sends, EngineTarget side, KvModel model, ParallelLayout layout, Surroundings surroundings) {
        this.side = side;
        registry = surroundings.registry();
        memory = new KvMemory(model, layout, side::memoryThatStays);
        RankConfig config = RankConfig.of(memory.args(), layout, registry);
        KvSettings settings = KvSettings.with(surroundings.options());
        if (sends) {
            memory.fill();
        }
        prefill = sends ? PrefillManager.open(side.engine(), config, settings, surroundings.directory()) : null;
        decode = sends ? null : DecodeManager.open(side.engine(), config, settings, surroundings.directory());
    }

    @Override
    public KvSender sender(long room) {
        return Objects.requireNonNull(prefill, "a decode rank sends nothing").sender(room);
    }

    @Override
    public KvReceiver receiver(long room) {
        return Objects.requireNonNull(decode, "a prefill rank receives nothing").receiver(registry, room);
    }

    /**
     * Where other ranks reach this one.
     *
     * @return its control endpoint
     */
    public NetworkAddress address() {
        return prefill != null
                ? prefill.address()
                : Objects.requireNonNull(decode).address();
    }

    /**
     * What it counts.
     *
     * @return a snapshot
     */
    public KvStats stats() {
        return prefill != null
                ? prefill.stats()
                : Objects.requireNonNull(decode).stats();
    }

    /**
     * Bytes that one page has on this rank.
     *
     * @return over all buffers of pages
     */
    public long pageBytes() {
        return memory.pageBytes();
    }

    /**
     * Fails unless this rank's memory holds what some rooms brought, and nothing else.
     *
     * @param when when this is looked at
     * @param rooms the rooms
     */
    public void expectMemory(String when, Room... rooms) {
        memory.expect(when, rooms);
    }

    /** Ends the rank and its engine. Idempotent. */
    @Override
    public void close() {
        if (prefill != null) {
            prefill.close();
        }
        if (decode != null) {
            decode.close();
        }
        side.close(2000);
    }
}
