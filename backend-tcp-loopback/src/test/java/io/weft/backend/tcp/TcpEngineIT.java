package io.weft.backend.tcp;

import io.weft.api.EngineDescriptor;
import io.weft.tck.trial.ProcessTrials;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Whole engines in two processes over sockets, with a network between them that can be cut while bytes are on their way; the target
 * itself says what landed (rules DL-1, DL-2, DL-5, PEER-2, PEER-3). About 50 s.
 */
@Timeout(180)
@Tag("long")
class TcpEngineIT extends ProcessTrials {
    private static final long MIDDLE = 100L << 20;

    private final List<CuttableWay> ways = new ArrayList<>();
    private @Nullable CuttableWay last;

    @BeforeEach
    void open() {
        // A child that only waits for a processor must not count as lost.
        openWithSilenceOf("5s");
    }

    private void openWithSilenceOf(String lost) {
        Map<String, String> options = Map.of(
                "weft.backends.allow", "tcp",
                "weft.heartbeat.interval", "200ms",
                "weft.heartbeat.suspect", "1s",
                "weft.heartbeat.lost", lost);
        open(options, options);
    }

    @AfterEach
    void closeWays() throws IOException {
        for (CuttableWay way : ways) {
            way.close();
        }
    }

    @Override
    protected EngineDescriptor way(EngineDescriptor target) throws IOException {
        CuttableWay way = new CuttableWay(target.host(), target.port());
        ways.add(way);
        last = way;
        return new EngineDescriptor(
                target.key(), target.nodeId(), target.hostname(), "127.0.0.1", way.port(), target.pid());
    }

    private CuttableWay between() {
        return Objects.requireNonNull(last, "no engine was added");
    }

    /** Both sides give the other up meanwhile, and the target lets its application have the memory for that alone. */
    @Test
    void aSilenceThatCostsTheSessionEndsTransfersAndWhatItHeldBackLandsNowhere() throws Exception {
        whileCutTransfersEndAndAfterHealingNewOnesSucceed(
                () -> between().cutAfter(MIDDLE), () -> between().heal(), "nothing was heard of peer");
    }

    /** The session outlives the cut, so that only deadlines end transfers here and only the fence protects memory there. */
    @Test
    void aSilenceThatTheSessionOutlivesEndsTransfersAndWhatItHeldBackLandsNowhere() throws Exception {
        openWithSilenceOf("60s");
        whileCutTransfersEndAndAfterHealingNewOnesSucceed(
                () -> between().cutAfter(MIDDLE), () -> between().heal(), "not over within its deadline");
    }

    @Test
    void aResetOfEveryConnectionInMidTransferCostsTheirTransfersOnly() throws Exception {
        whileCutTransfersEndAndAfterHealingNewOnesSucceed(
                () -> {
                    between().cutAfter(MIDDLE);
                    between().resetAndHeal();
                },
                () -> {},
                "over tcp");
    }
}
