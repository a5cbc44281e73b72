package io.weft.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.api.ErrorCode;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(10)
class FailureLogTest {
    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 5);
    private final FailureLog log =
            new FailureLog(System.getLogger(FailureLogTest.class.getName()), "WEFT-TEST", now::get);

    @Test
    void tellsTheFirstOfAKindAndCountsTheRest() {
        assertThat(log.count(ErrorCode.PEER_LOST)).isZero();
        assertThat(log.count(ErrorCode.PEER_LOST)).isEqualTo(-1);
        assertThat(log.count(ErrorCode.PEER_LOST)).isEqualTo(-1);
        assertThat(log.count(ErrorCode.FABRIC)).isZero();
        now.addAndGet(TimeUnit.SECONDS.toNanos(10));
        assertThat(log.count(ErrorCode.PEER_LOST)).isEqualTo(2);
        assertThat(log.count(ErrorCode.PEER_LOST)).isEqualTo(-1);
    }
}
