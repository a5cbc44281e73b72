package io.weft.backend.rdma;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weft.spi.Availability;
import io.weft.tck.trial.ProcessTrials;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/**
 * Two devices where there are two, so that bytes really cross a wire; with trouble on it in the test bed, where the wire is the veth
 * pair of va and vb.
 */
@Timeout(180)
class RdmaEngineIT extends ProcessTrials {
    private static final String BED = "only the network of test-bed/run may be broken";

    @BeforeEach
    void open() {
        Availability here = new RdmaProbe(new Sysfs(Path.of("/")), "").run();
        Assumptions.assumeTrue(here.isUsable(), here.reason() + "; test-bed/run gives this test two Soft-RoCE devices");
        open(
                options(here.devices().getFirst().name()),
                options(here.devices().getLast().name()));
    }

    private static Map<String, String> options(String device) {
        return Map.of(
                "weft.backends.allow", "rdma",
                "weft.backend.rdma.device", device,
                "weft.heartbeat.interval", "200ms",
                "weft.heartbeat.suspect", "1s",
                "weft.heartbeat.lost", "3s");
    }

    @Test
    @EnabledIfEnvironmentVariable(named = "WEFT_TEST_BED", matches = "1", disabledReason = BED)
    void retriesAreExhaustedWhereEveryPacketIsLost() throws Exception {
        whileCutTransfersEndAndAfterHealingNewOnesSucceed(
                () -> shell("tc qdisc replace dev va root netem loss 100%"),
                RdmaEngineIT::heal,
                "IBV_WC_RETRY_EXC_ERR");
    }

    @Test
    @EnabledIfEnvironmentVariable(named = "WEFT_TEST_BED", matches = "1", disabledReason = BED)
    void aLinkThatGoesDownCostsItsTransfersOnly() throws Exception {
        whileCutTransfersEndAndAfterHealingNewOnesSucceed(
                () -> shell("ip link set vb down"), RdmaEngineIT::heal, "over rdma");
    }

    @Test
    @EnabledIfEnvironmentVariable(named = "WEFT_TEST_BED", matches = "1", disabledReason = BED)
    void onePercentOfLossCostsTimeOnly() throws Exception {
        succeedsOverALossyNetwork(() -> shell("tc qdisc replace dev va root netem loss 1%"), RdmaEngineIT::heal);
    }

    private static void heal() throws IOException, InterruptedException {
        shell("tc qdisc del dev va root 2>/dev/null; ip link set vb up; . ../test-bed/routes.sh");
    }

    private static void shell(String command) throws IOException, InterruptedException {
        Process shell = new ProcessBuilder("bash", "-c", command).inheritIO().start();
        assertTrue(shell.waitFor(30, TimeUnit.SECONDS), command);
        assertEquals(0, shell.exitValue(), command);
    }
}
