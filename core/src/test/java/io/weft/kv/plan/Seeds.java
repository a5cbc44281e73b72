package io.weft.kv.plan;

import java.util.Random;
import java.util.stream.LongStream;

/** Seeds of random tests: shown in the test's name, one chosen one with {@code -Dweft.test.seed}. */
final class Seeds {
    private Seeds() {}

    static LongStream seeds(int count) {
        Long chosen = Long.getLong("weft.test.seed");
        return chosen != null ? LongStream.of(chosen) : new Random().longs(count);
    }
}
