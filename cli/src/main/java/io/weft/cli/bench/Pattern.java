package io.weft.cli.bench;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Bytes that differ at every place and for every seed. */
final class Pattern {
    private Pattern() {}

    static void fill(MemorySegment memory, long seed) {
        long words = memory.byteSize() / Long.BYTES;
        for (long i = 0; i < words; i++) {
            memory.setAtIndex(ValueLayout.JAVA_LONG_UNALIGNED, i, mix(seed + i));
        }
        for (long i = words * Long.BYTES; i < memory.byteSize(); i++) {
            memory.set(ValueLayout.JAVA_BYTE, i, (byte) mix(seed ^ i));
        }
    }

    /** The finalizer of SplitMix64. */
    private static long mix(long value) {
        long z = (value + 0x9E3779B97F4A7C15L) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }

    /** Whether the first positions of a plan hold, at the destination, what the pattern has at the source. */
    static boolean matches(
            BenchPlan plan, MemorySegment source, MemorySegment destination, boolean write, int positions) {
        long[] local = plan.localOffsets();
        long[] remote = plan.remoteOffsets();
        for (int i = 0; i < positions * plan.batch(); i++) {
            MemorySegment from = source.asSlice(write ? local[i] : remote[i], plan.size());
            MemorySegment to = destination.asSlice(write ? remote[i] : local[i], plan.size());
            if (from.mismatch(to) != -1) {
                return false;
            }
        }
        return true;
    }
}
