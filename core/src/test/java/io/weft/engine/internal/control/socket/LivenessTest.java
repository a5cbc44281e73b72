package io.weft.engine.internal.control.socket;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.api.PeerState;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** With a manual clock; also around the overflow of {@code nanoTime}. */
@Timeout(value = 10, unit = TimeUnit.SECONDS)
class LivenessTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    @ParameterizedTest
    @ValueSource(longs = {0, 1_000, -5, Long.MAX_VALUE - 5, Long.MIN_VALUE})
    void silenceIsSuspectThenLost(long start) {
        Liveness l = new Liveness(3 * SECOND, 10 * SECOND, start);
        assertThat(l.judge(start)).isEqualTo(PeerState.UP);
        assertThat(l.judge(start + 3 * SECOND - 1)).isEqualTo(PeerState.UP);
        assertThat(l.judge(start + 3 * SECOND)).isEqualTo(PeerState.SUSPECT);
        assertThat(l.judge(start + 10 * SECOND - 1)).isEqualTo(PeerState.SUSPECT);
        assertThat(l.judge(start + 10 * SECOND)).isEqualTo(PeerState.LOST);
        l.heard(start + 9 * SECOND);
        assertThat(l.judge(start + 10 * SECOND)).isEqualTo(PeerState.UP);
    }

    /** Rule TIME-1: who was stopped for a minute has not been left by its peers for a minute. */
    @ParameterizedTest
    @ValueSource(longs = {0, Long.MAX_VALUE - 5})
    void timeInWhichThisSideWasStoppedDoesNotCount(long start) {
        Liveness l = new Liveness(3 * SECOND, 10 * SECOND, start);
        long resumed = start + 62 * SECOND;
        l.deaf(60 * SECOND, resumed);
        assertThat(l.silence(resumed)).isEqualTo(2 * SECOND);
        assertThat(l.judge(resumed)).isEqualTo(PeerState.UP);
        assertThat(l.judge(resumed + 8 * SECOND)).isEqualTo(PeerState.LOST);
        // Never makes a peer younger than just heard.
        l.deaf(600 * SECOND, resumed);
        assertThat(l.silence(resumed)).isZero();
        assertThat(l.judge(resumed + 3 * SECOND)).isEqualTo(PeerState.SUSPECT);
    }
}
