package io.weft.engine.internal.segment;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Comparator;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(30)
class RadixSortTest {
    @ParameterizedTest
    @CsvSource({"0, 64", "1, 64", "2, 1", "48, 64", "49, 64", "1000, 64", "1000, 3", "5000, 17", "70000, 36"})
    void sortsUnsignedAndStably(int n, int bits) {
        long seed = Long.getLong("weft.test.seed", System.nanoTime());
        Random random = new Random(seed);
        long[] keys = random.longs(n).map(k -> k >>> 64 - bits).toArray();
        RadixSort sort = new RadixSort();
        for (int round = 0; round < 2; round++) { // the second time with used arrays
            sort.prepare(n);
            System.arraycopy(keys, 0, sort.keys, 0, n);
            sort.sort(n);
            int[] order = IntStream.range(0, n)
                    .boxed()
                    .sorted(Comparator.comparing((Integer i) -> keys[i], Long::compareUnsigned)
                            .thenComparing(i -> i))
                    .mapToInt(i -> i)
                    .toArray();
            assertThat(Arrays.copyOf(sort.origin, n)).as("seed %d", seed).isEqualTo(order);
            assertThat(Arrays.copyOf(sort.keys, n))
                    .isEqualTo(Arrays.stream(order).mapToLong(i -> keys[i]).toArray());
        }
    }
}
