package io.weft.kv;

import io.weft.api.TransferEngine;
import io.weft.kv.internal.prefill.DpRankNotice;
import io.weft.kv.internal.prefill.PrefillCore;
import io.weft.kv.internal.room.RankIdentity;
import io.weft.kv.wire.NetworkAddress;
import io.weft.telemetry.MetricSource;
import io.weft.telemetry.RoomView;
import io.weft.telemetry.SpanSink;
import java.util.List;

/**
 * A prefill rank: registers its buffers and itself, and makes the senders of its rooms.
 *
 * <p>Threading: all methods are safe from any thread; {@link #open} and {@link #close} may block, always bounded. Ownership: the
 * engine and the directory stay the caller's and outlive the manager.
 *
 * @since 0.1
 */
public final class PrefillManager implements AutoCloseable {
    private final PrefillCore core;
    private final RankDirectory.Handle registration;
    private final DpRankNotice dpRanks;

    private PrefillManager(PrefillCore core, RankDirectory.Handle registration, DpRankNotice dpRanks) {
        this.core = core;
        this.registration = registration;
        this.dpRanks = dpRanks;
    }

    /**
     * Opens a rank and registers it with its registry in the background.
     *
     * @param engine the rank's engine
     * @param config the rank
     * @param settings the options
     * @param directory registers the rank
     * @return the manager
     * @throws io.weft.api.WeftException if a buffer or the control endpoint is refused
     */
    public static PrefillManager open(
            TransferEngine engine, RankConfig config, KvSettings settings, RankDirectory directory) {
        RankIdentity identity = RankIdentity.of("prefill", engine, config, settings);
        PrefillCore core = new PrefillCore(
                identity.name(), engine, config, settings, identity.host(), identity.epoch(), System::nanoTime);
        RankDirectory.Registration registration = new RankDirectory.Registration(
                new RankDirectory.Coordinates(
                        config.dpRank(),
                        config.layout().cpRank(),
                        config.layout().tpRank(),
                        config.layout().ppRank()),
                config,
                core.address(),
                identity.epoch(),
                engine.descriptor().key());
        return new PrefillManager(
                core,
                directory.keepRegistered(config.registry(), registration),
                new DpRankNotice(directory, config, settings));
    }

    /**
     * Where decode ranks reach this one.
     *
     * @return host and port of the control endpoint
     */
    public NetworkAddress address() {
        return core.address();
    }

    /**
     * Makes the sender of a room. Metadata may have arrived before.
     *
     * @param room the room, unsigned; every value is legal (rule KV-12)
     * @return the sender
     * @throws io.weft.api.WeftException INVALID_ARGUMENT if the room has a sender that was not cleared
     */
    public KvSender sender(long room) {
        return core.open(room, dpRanks.serving(room));
    }

    /**
     * Says who takes the spans of rooms whose request is traced ({@link KvReceiver#traceparent}); nobody at first.
     *
     * @param sink takes them from now on
     */
    public void spans(SpanSink sink) {
        core.spans(sink);
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
        return new KvMetrics("prefill", this::stats);
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

    /** Fails open rooms, tells their decode ranks, and gives everything back. Idempotent. */
    @Override
    public void close() {
        registration.close();
        dpRanks.close();
        core.close();
    }
}
