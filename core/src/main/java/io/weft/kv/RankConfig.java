package io.weft.kv;

import io.weft.kv.layout.BufferSpec;
import io.weft.kv.layout.KvArgs;
import io.weft.kv.layout.ParallelLayout;
import io.weft.kv.layout.PeerLayout;
import io.weft.kv.layout.StateSpec;
import io.weft.kv.plan.KvSide;
import java.util.Objects;

/**
 * Everything a manager must know of its rank.
 *
 * <p>Immutable; safe from any thread.
 *
 * @param args buffers and model
 * @param layout place in the parallel layout
 * @param registry bootstrap registry as {@code host:port}: where a prefill rank registers; ignored by decode
 * @param host control address, empty for the configured or the engine's
 * @param loadBalance the server's load balance method; {@code follow_bootstrap_room} makes the DP rank follow from the room
 * @param httpPort port of the inference server, told to decode ranks; 0 for none
 * @since 0.1
 */
public record RankConfig(
        KvArgs args, ParallelLayout layout, String registry, String host, String loadBalance, int httpPort) {
    /** The load balance method under which a room's DP rank needs no look-up. */
    public static final String FOLLOW_ROOM = "follow_bootstrap_room";

    /** Checks for null. */
    public RankConfig {
        Objects.requireNonNull(args, "args");
        Objects.requireNonNull(layout, "layout");
        Objects.requireNonNull(registry, "registry");
        Objects.requireNonNull(host, "host");
        Objects.requireNonNull(loadBalance, "loadBalance");
    }

    /**
     * A rank with the usual load balance method and no inference server.
     *
     * @param args buffers and model
     * @param layout place in the parallel layout
     * @param registry bootstrap registry as {@code host:port}
     * @return the configuration
     */
    public static RankConfig of(KvArgs args, ParallelLayout layout, String registry) {
        return new RankConfig(args, layout, registry, "", FOLLOW_ROOM, 0);
    }

    /**
     * The DP rank under which this rank is known: the replica's, or attention's where there is one replica.
     *
     * @return the rank
     */
    public int dpRank() {
        return layout.systemDpSize() == 1 ? layout.dpRank() : layout.systemDpRank();
    }

    /**
     * The DP size that belongs to {@link #dpRank}.
     *
     * @return the size
     */
    public int dpSize() {
        return layout.systemDpSize() == 1 ? layout.dpSize() : layout.systemDpSize();
    }

    /**
     * What peers are told.
     *
     * @return the layout
     */
    public PeerLayout peerLayout() {
        return new PeerLayout(
                args.pageSize(),
                args.dtype(),
                args.isMla(),
                layout.tpSize(),
                Math.floorMod(args.engineRank(), layout.tpSize()),
                layout.ppSize(),
                layout.ppRank(),
                args.isMla() ? 0 : args.totalKvHeads(layout.tpSize()),
                args.kv().stream().map(BufferSpec::itemLen).toList(),
                args.layerIds(),
                args.state().stream().map(s -> s.type().wireName()).toList(),
                args.state().stream().map(StateSpec::convShardGroups).toList());
    }

    /**
     * What planners are told.
     *
     * @return this rank's KV buffers
     */
    public KvSide kvSide() {
        return KvSide.of(peerLayout(), args.startLayer());
    }

    /**
     * Whether every CP rank sends its share, as far as this rank knows.
     *
     * @param forced whether the configuration says so
     * @param decode whether this is a decode rank
     * @return the original's rule
     */
    public boolean allCpRanksSend(boolean forced, boolean decode) {
        boolean manyCp = layout.cpSize() > 1;
        return forced || manyCp && (args.isHybridMla() || args.isLayerSplit()) || args.isHybridMla() && decode;
    }
}
