package io.weft.kv;

import io.weft.kv.wire.NetworkAddress;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How ranks find each other: a client of bootstrap registries. Implementations are thread-safe; every call but
 * {@link #keepRegistered} blocks, always bounded, and is made from a thread that may.
 *
 * @since 0.1
 */
public interface RankDirectory {
    /**
     * Shape of a prefill instance.
     *
     * @param tpSize attention TP size
     * @param cpSize attention CP size
     * @param dpSize DP size
     * @param ppSize pipeline stages
     * @param pageSize tokens per page, null when not told
     * @param dtype KV cache element type, null when not told
     * @param followsRoom whether a room's DP rank is the room modulo the DP size
     * @param layerSplit whether each CP rank holds a part of the layers
     * @since 0.1
     */
    record Topology(
            int tpSize,
            int cpSize,
            int dpSize,
            int ppSize,
            @Nullable Integer pageSize,
            @Nullable String dtype,
            boolean followsRoom,
            boolean layerSplit) {}

    /**
     * Which prefill rank.
     *
     * @param dp DP rank
     * @param cp CP rank
     * @param tp TP rank
     * @param pp PP rank
     * @since 0.1
     */
    record Coordinates(int dp, int cp, int tp, int pp) {}

    /**
     * Where a prefill rank is.
     *
     * @param address its control endpoint
     * @param epoch its incarnation, 0 for an older rank
     * @param engineKey its engine key, empty when not told
     * @since 0.1
     */
    record RankAddress(NetworkAddress address, long epoch, String engineKey) {}

    /**
     * What a prefill rank registers.
     *
     * @param coordinates which rank it is, DP being the system's or attention's
     * @param config the rank's configuration
     * @param address its control endpoint
     * @param epoch its incarnation
     * @param engineKey its engine key
     * @since 0.1
     */
    record Registration(
            Coordinates coordinates, RankConfig config, NetworkAddress address, long epoch, String engineKey) {}

    /** Ends what it stands for; never throws. */
    interface Handle extends AutoCloseable {
        @Override
        void close();
    }

    /**
     * Registers a prefill rank and keeps it registered, in the background: retries for ever with capped back-off, and
     * registers again after the registry restarted.
     *
     * @param registry {@code host:port}
     * @param registration what to register
     * @return closing it stops that
     */
    Handle keepRegistered(String registry, Registration registration);

    /**
     * Fetches the shape of the instance behind a registry.
     *
     * @param registry {@code host:port}
     * @return the shape
     * @throws io.weft.api.WeftException UNREACHABLE, or RESOURCE_EXHAUSTED while not all ranks are registered
     */
    Topology topology(String registry);

    /**
     * Looks a rank up.
     *
     * @param registry {@code host:port}
     * @param coordinates which rank
     * @return where it is
     * @throws io.weft.api.WeftException UNREACHABLE, or NOT_REGISTERED for an unknown rank
     */
    RankAddress rank(String registry, Coordinates coordinates);

    /**
     * Tells which DP rank serves a room.
     *
     * @param registry {@code host:port}
     * @param room the room, unsigned
     * @param dpRank the DP rank
     * @throws io.weft.api.WeftException UNREACHABLE
     */
    void registerDpRank(String registry, long room, int dpRank);

    /**
     * Asks which DP ranks serve rooms.
     *
     * @param registry {@code host:port}
     * @param rooms rooms, unsigned
     * @return the known ones
     * @throws io.weft.api.WeftException UNREACHABLE
     */
    Map<Long, Integer> dpRanks(String registry, List<Long> rooms);

    /**
     * Asks a registry whether it lives.
     *
     * @param registry {@code host:port}
     * @return empty if it does, else what was found
     */
    Optional<String> health(String registry);
}
