package io.weft.engine.internal.concurrent;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class IntTableTest {
    @Test
    void agreesWithAMap() {
        long seed = Long.getLong("weft.test.seed", System.nanoTime());
        Random random = new Random(seed);
        IntTable<Integer> table = new IntTable<>();
        Map<Integer, Integer> map = new HashMap<>();
        for (int i = 0; i < 50_000; i++) {
            int key = random.nextInt(700) * 0x1000;
            switch (random.nextInt(3)) {
                case 0 -> {
                    table.put(key, i);
                    map.put(key, i);
                }
                case 1 -> {
                    table.remove(key);
                    map.remove(key);
                }
                default -> assertThat(table.get(key)).as("seed %d", seed).isEqualTo(map.get(key));
            }
        }
        assertThat(table.size()).isEqualTo(map.size());
        Set<Integer> seen = new HashSet<>();
        table.forEach(seen::add);
        assertThat(seen).isEqualTo(new HashSet<>(map.values()));
    }

    @Test
    void readersFindWhatStaysWhileItGrows() throws InterruptedException {
        IntTable<Integer> table = new IntTable<>();
        table.put(-7, 42);
        AtomicBoolean missed = new AtomicBoolean();
        AtomicBoolean stop = new AtomicBoolean();
        Thread reader = Thread.ofPlatform().start(() -> {
            while (!stop.get()) {
                Integer found = table.get(-7);
                if (found == null || found != 42) {
                    missed.set(true);
                }
            }
        });
        for (int i = 0; i < 100_000; i++) {
            table.put(i, i);
            if (i % 3 == 0) {
                table.remove(i / 2);
            }
        }
        stop.set(true);
        reader.join();
        assertThat(missed).isFalse();
    }
}
