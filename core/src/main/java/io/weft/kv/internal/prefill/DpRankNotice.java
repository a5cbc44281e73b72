package io.weft.kv.internal.prefill;

import io.weft.api.ErrorCode;
import io.weft.api.WeftException;
import io.weft.kv.KvSettings;
import io.weft.kv.RankConfig;
import io.weft.kv.RankDirectory;
import io.weft.kv.internal.room.RoomFailure;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;

/**
 * Lets decode ranks find the DP rank that serves a room: where it does not follow from the room id, the registry is told. The
 * original asks in the scheduler's thread; here nobody waits. Safe from any thread.
 */
public final class DpRankNotice implements AutoCloseable {
    private static final Logger LOG = System.getLogger(DpRankNotice.class.getName());

    private final RankDirectory directory;
    private final RankConfig config;
    private final boolean forced;
    private final ExecutorService blocking = Executors.newVirtualThreadPerTaskExecutor();

    /**
     * Tells nobody yet.
     *
     * @param directory reaches the registry
     * @param config the rank
     * @param settings the options
     */
    public DpRankNotice(RankDirectory directory, RankConfig config, KvSettings settings) {
        this.directory = directory;
        this.config = config;
        this.forced = settings.forceDpQuery();
    }

    /**
     * A sender was made for a room.
     *
     * @param room the room, unsigned
     * @return why this rank must not serve it, empty if it may
     */
    public Optional<RoomFailure> serving(long room) {
        int size = config.dpSize();
        if (size == 1) {
            return Optional.empty();
        }
        if (config.loadBalance().equals(RankConfig.FOLLOW_ROOM)) {
            long expected = Long.remainderUnsigned(room, size);
            if (expected == config.dpRank()) {
                return Optional.empty();
            }
            if (!forced) {
                return Optional.of(new RoomFailure(
                        ErrorCode.INVALID_ARGUMENT,
                        "room " + Long.toUnsignedString(room) + " belongs to DP rank " + expected + " of " + size
                                + " by follow_bootstrap_room and was given to DP rank " + config.dpRank()
                                + "; set weft.kv.force-dp-query on both sides if the router decides otherwise"));
            }
        }
        tell(room);
        return Optional.empty();
    }

    @Override
    public void close() {
        blocking.shutdownNow();
    }

    private void tell(long room) {
        try {
            blocking.execute(() -> {
                try {
                    directory.registerDpRank(config.registry(), room, config.dpRank());
                } catch (WeftException unreachable) {
                    LOG.log(
                            Level.WARNING,
                            "WEFT-DP-RANK decode ranks will not find the DP rank of room {0}: {1}",
                            Long.toUnsignedString(room),
                            unreachable.getMessage());
                }
            });
        } catch (RejectedExecutionException closing) {
            LOG.log(Level.DEBUG, "not told, because the rank is closing");
        }
    }
}
