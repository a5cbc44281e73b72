package io.weft.kv;

import io.weft.api.TransferEngine;
import io.weft.kv.internal.decode.DecodeCore;
import io.weft.kv.internal.room.RankIdentity;
import io.weft.kv.wire.NetworkAddress;
import io.weft.telemetry.MetricSource;
import io.weft.telemetry.RoomView;
import java.util.List;

/**
 * A decode rank: registers its buffers, and makes the receivers of its rooms.
 *
 * <p>Threading: all methods are safe from any thread; {@link #open} and {@link #close} may block, always bounded. Ownership: the
 * engine and the directory stay the caller's and outlive the manager.
 *
 * @since 0.1
 */
public final class DecodeManager implements AutoCloseable {
    private final DecodeCore core;

    private DecodeManager(DecodeCore core) {
        this.core = core;
    }

    /**
     * Opens a rank.
     *
     * @param engine the rank's engine
     * @param config the rank
     * @param settings the options
     * @param directory finds prefill ranks
     * @return the manager
     * @throws io.weft.api.WeftException if a buffer or the control endpoint is refused
     */
    public static DecodeManager open(
            TransferEngine engine, RankConfig config, KvSettings settings, RankDirectory directory) {
        RankIdentity identity = RankIdentity.of("decode", engine, config, settings);
        return new DecodeManager(new DecodeCore(
                identity.name(),
                engine,
                config,
                settings,
                directory,
                identity.host(),
                identity.epoch(),
                System::nanoTime));
    }

    /**
     * Where prefill ranks reach this one.
     *
     * @return host and port of the control endpoint
     */
    public NetworkAddress address() {
        return core.address();
    }

    /**
     * Makes the receiver of a room.
     *
     * @param registry registry of the prefill instance as {@code host:port}
     * @param room the room, unsigned; every value is legal (rule KV-12)
     * @return the receiver
     * @throws io.weft.api.WeftException INVALID_ARGUMENT if the room has a receiver that was not cleared; RESOURCE_EXHAUSTED if
     *     its last use is quarantined
     */
    public KvReceiver receiver(String registry, long room) {
        return core.open(registry, room);
    }

    /**
     * Counts and table sizes.
     *
     * @return a snapshot
     */
    public KvStats stats() {
        return core.stats();
    }

    /**
     * What it counts, as metrics.
     *
     * @return a source to read whenever somebody looks; never blocks
     */
    public MetricSource metrics() {
        return new KvMetrics("decode", this::stats);
    }

    /**
     * Rooms that are not cleared, or whose pages are not free.
     *
     * @param most rooms to describe, the oldest first
     * @return a picture; takes each room's lock for a moment
     */
    public List<RoomView> rooms(int most) {
        return core.rooms(most);
    }

    /** Fails open rooms, tells their prefill ranks, and gives everything back. Idempotent. */
    @Override
    public void close() {
        core.close();
    }
}
