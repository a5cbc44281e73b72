package io.weft.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.api.ErrorCode;
import io.weft.api.Region;
import io.weft.api.Transfer;
import io.weft.api.TransferEngine;
import io.weft.api.TransferOptions;
import io.weft.api.TransferState;
import io.weft.testkit.AssertingProvider;
import io.weft.testkit.faults.Fault;
import io.weft.testkit.faults.FaultPlan;
import io.weft.testkit.faults.FaultyProvider;
import io.weft.testkit.mem.MemProvider;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Injected faults: what a failed transfer says names the cause, in the words that docs/operations.md explains. */
@Timeout(60)
class FailureTextsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    @Test
    void differentSecrets() throws InterruptedException {
        AssertingProvider provider = AssertingProvider.of(new MemProvider());
        try (TransferEngine a = TwoEngines.open("a", provider, Map.of("weft.secret", "one"));
                TransferEngine b = TwoEngines.open("b", provider, Map.of("weft.secret", "two"))) {
            a.addPeer(b.descriptor());
            Region source = TwoEngines.random(a, 100, new Random(1));
            Region target = TwoEngines.allocate(b, 100);
            Transfer refused = a.write(source, 0, target.descriptor(), 0, 100, TransferOptions.DEFAULT);
            assertThat(refused.await(PATIENCE)).isEqualTo(TransferState.FAILED);
            assertThat(refused.code()).contains(ErrorCode.AUTHENTICATION);
            assertThat(refused.text())
                    .contains(b.descriptor().key(), "secret")
                    .doesNotContain("one")
                    .doesNotContain("two");
        }
    }

    @Test
    void aFullQueue() throws InterruptedException {
        FaultyProvider faults = new FaultyProvider(new MemProvider(), 1, FaultPlan.NONE);
        try (TwoEngines engines =
                new TwoEngines(AssertingProvider.ofCore(faults), Map.of("weft.queue.transfers", "1"))) {
            Region source = TwoEngines.random(engines.a, 100, new Random(1));
            Region target = TwoEngines.allocate(engines.b, 100);
            faults.plan(FaultPlan.NONE.with(Fault.STALL, 1));
            Transfer first = engines.a.write(source, 0, target.descriptor(), 0, 100, TransferOptions.DEFAULT);
            Transfer second = engines.a.write(source, 0, target.descriptor(), 0, 100, TransferOptions.DEFAULT);
            assertThat(second.await(PATIENCE)).isEqualTo(TransferState.FAILED);
            assertThat(second.code()).contains(ErrorCode.RESOURCE_EXHAUSTED);
            assertThat(second.text()).contains(engines.b.descriptor().key(), "weft.queue.transfers");
            faults.plan(FaultPlan.NONE);
            first.cancel();
            assertThat(first.await(PATIENCE)).isEqualTo(TransferState.CANCELLED);
        }
    }

    @Test
    void aPeerThatIsGone() throws InterruptedException {
        try (TwoEngines engines = TwoEngines.open()) {
            Region source = TwoEngines.random(engines.a, 100, new Random(1));
            Region target = TwoEngines.allocate(engines.b, 100);
            engines.b.close(Duration.ofSeconds(2));
            Transfer late = engines.a.write(source, 0, target.descriptor(), 0, 100, TransferOptions.DEFAULT);
            assertThat(late.await(PATIENCE)).isEqualTo(TransferState.FAILED);
            assertThat(late.code()).contains(ErrorCode.UNREACHABLE);
            assertThat(late.text())
                    .contains("write of 100 bytes", engines.b.descriptor().key(), "connecting to it failed");
        }
    }
}
