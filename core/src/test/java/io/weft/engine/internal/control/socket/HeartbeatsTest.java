package io.weft.engine.internal.control.socket;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(value = 10, unit = TimeUnit.SECONDS)
class HeartbeatsTest {
    private static final long INTERVAL = 1_000;

    @ParameterizedTest
    @ValueSource(longs = {0, Long.MAX_VALUE - 5})
    void beatsByItself(long start) {
        Heartbeats h = new Heartbeats(INTERVAL, start);
        assertThat(h.isDue(start + 874)).isFalse();
        assertThat(h.isDue(start + 875)).isTrue();
        assertThat(h.isDue(start + 1_000)).isFalse();
        assertThat(h.isDue(start + 1_750)).isTrue();
    }

    @Test
    void followsWhoBeatsFirstAndLeadsAgainWhenThatStops() {
        Heartbeats h = new Heartbeats(INTERVAL, 0);
        assertThat(h.isAnswered(250, 1)).isFalse();
        assertThat(h.isAnswered(300, 1)).isTrue();
        assertThat(h.isAnswered(301, 1)).isFalse();
        assertThat(h.isDue(1_300)).isFalse();
        assertThat(h.isAnswered(1_300, 1)).isTrue();
        assertThat(h.isDue(2_549)).isFalse();
        assertThat(h.isDue(2_550)).isTrue();
        assertThat(h.isDue(3_425)).isTrue();
    }

    @Test
    void whoHasManyPeersIsSlowToFollow() {
        assertThat(new Heartbeats(INTERVAL, 0).isAnswered(749, 100)).isFalse();
        assertThat(new Heartbeats(INTERVAL, 0).isAnswered(750, 100)).isTrue();
    }

    /** Whatever the two do, neither is silent for longer than half of the shortest suspect time. */
    @ParameterizedTest
    @ValueSource(ints = {1, 4, 7, 100})
    void neitherSideIsEverSilentForLong(int sessions) {
        for (int phase = 0; phase < INTERVAL; phase += 7) {
            Heartbeats[] sides = {new Heartbeats(INTERVAL, 0), new Heartbeats(INTERVAL, phase)};
            long[] last = {0, phase};
            for (long now = phase; now < 20 * INTERVAL; now += INTERVAL / 4) {
                for (int me = 0; me < 2; me++) {
                    if (sides[me].isDue(now)) {
                        last[me] = now;
                        if (sides[1 - me].isAnswered(now, me == 0 ? 1 : sessions)) {
                            last[1 - me] = now;
                        }
                    }
                    assertThat(now - last[me]).as("phase %d", phase).isLessThanOrEqualTo(3 * INTERVAL / 2);
                }
            }
        }
    }
}
