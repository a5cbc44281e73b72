package io.weft.kv.internal.room;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class RecentRoomsTest {
    private static final long SEED = Long.getLong("weft.test.seed", 7);

    private final RecentRooms recent = new RecentRooms();

    @Test
    void thousandsThatEndAtOnceAreRemembered() {
        long[] generations = new SplittableRandom(SEED).longs(10_000).toArray();
        LongStream.range(0, generations.length).forEach(room -> recent.add(room, generations[(int) room]));
        long known = LongStream.range(0, generations.length)
                .filter(room -> recent.contains(room, generations[(int) room]))
                .count();
        assertThat(known).as("seed %d", SEED).isGreaterThan(9_950);
        assertThat(recent.contains(0, generations[0] + 1)).as("another use").isFalse();
    }

    @Test
    void theNewestOfASetPushesTheOldestOut() {
        LongStream.range(0, 1_000_000).forEach(room -> recent.add(room, 1));
        assertThat(recent.contains(999_999, 1)).isTrue();
        assertThat(recent.contains(0, 1)).isFalse();
    }

    @Test
    void aUseIsKeptOnceAndOlderPeersSayNoneToKeep() {
        recent.add(5, 9);
        LongStream.range(0, 100).forEach(_ -> recent.add(5, 9));
        recent.add(6, 0);
        assertThat(recent.contains(5, 9)).isTrue();
        assertThat(recent.contains(6, 0)).isFalse();
    }
}
