package io.weft.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.api.Region;
import io.weft.api.RemoteQuiescence;
import io.weft.api.Transfer;
import io.weft.api.TransferOptions;
import io.weft.api.TransferSession;
import io.weft.api.TransferState;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class EngineTransfersTest {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    @Test
    void writesBytesAndReceiptsThem() throws InterruptedException {
        try (TwoEngines engines = TwoEngines.open()) {
            Region source = TwoEngines.random(engines.a, 10_000, new Random(1));
            Region target = TwoEngines.allocate(engines.b, 10_000);
            Transfer transfer = engines.a.write(source, 0, target.descriptor(), 0, 10_000, TransferOptions.DEFAULT);
            assertThat(transfer.await(PATIENCE)).as(transfer::toString).isEqualTo(TransferState.SUCCEEDED);
            assertThat(TwoEngines.bytes(target)).isEqualTo(TwoEngines.bytes(source));
            assertThat(transfer.receipt()).hasValueSatisfying(receipt -> {
                assertThat(receipt.backend()).isEqualTo("mem");
                assertThat(receipt.bytes()).isEqualTo(10_000);
                assertThat(receipt.operations()).isEqualTo(1);
                assertThat(receipt.remote()).isEqualTo(RemoteQuiescence.QUIESCED);
            });
        }
    }

    @Test
    void readsOverASession() throws InterruptedException {
        try (TwoEngines engines = TwoEngines.open()) {
            Region mine = TwoEngines.allocate(engines.a, 5_000);
            Region theirs = TwoEngines.random(engines.b, 5_000, new Random(2));
            try (TransferSession session = engines.a.session(mine, theirs.descriptor())) {
                Transfer transfer = session.read(0, 0, 5_000, TransferOptions.DEFAULT);
                assertThat(transfer.await(PATIENCE)).as(transfer::toString).isEqualTo(TransferState.SUCCEEDED);
            }
            assertThat(TwoEngines.bytes(mine)).isEqualTo(TwoEngines.bytes(theirs));
        }
    }

    @Test
    void writesToItself() throws InterruptedException {
        try (TwoEngines engines = TwoEngines.open()) {
            Region source = TwoEngines.random(engines.a, 3_000_000, new Random(3));
            Region target = TwoEngines.allocate(engines.a, 3_000_000);
            Transfer transfer = engines.a.write(source, 0, target.descriptor(), 0, 3_000_000, TransferOptions.DEFAULT);
            assertThat(transfer.await(PATIENCE)).as(transfer::toString).isEqualTo(TransferState.SUCCEEDED);
            assertThat(TwoEngines.bytes(target)).isEqualTo(TwoEngines.bytes(source));
        }
    }
}
