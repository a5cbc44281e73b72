package io.weft.cli.rank;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Recomputes every byte of some items and compares. Confined to one thread. */
final class Verification {
    private static final int MOST_TOLD = 10;

    /** One wrong byte. */
    record Mismatch(int index, int page, long offset, int expected, int actual) {}

    private final Buffers buffers;
    private final List<Mismatch> mismatches = new ArrayList<>();
    private long count;

    Verification(Buffers buffers) {
        this.buffers = buffers;
    }

    /**
     * Compares items.
     *
     * @param items where the bytes are
     * @param sources which items they were where they were computed
     * @param room what the room cell holds, null to expect the pattern there
     * @param restZero whether all other bytes must be 0
     */
    void run(List<Buffer> group, long seed, int[] items, int[] sources, @Nullable Long room, boolean restZero) {
        for (Buffer buffer : group) {
            byte[] expected = new byte[buffer.itemBytes()];
            boolean[] named = new boolean[buffer.items()];
            for (int i = 0; i < items.length; i++) {
                Buffers.check(buffer, items[i]);
                named[items[i]] = true;
                buffer.pattern(expected, seed, sources[i]);
                if (room != null && buffer.index() == buffers.layout().roomCell()) {
                    ByteBuffer.wrap(expected).order(ByteOrder.LITTLE_ENDIAN).putLong(0, room);
                }
                compare(buffer, items[i], expected);
            }
            if (restZero) {
                Arrays.fill(expected, (byte) 0);
                for (int item = 0; item < named.length; item++) {
                    if (!named[item]) {
                        compare(buffer, item, expected);
                    }
                }
            }
        }
    }

    private void compare(Buffer buffer, int item, byte[] expected) {
        MemorySegment actual = buffers.get(buffer, item * buffer.spec().itemLen(), expected.length);
        if (actual.mismatch(MemorySegment.ofArray(expected)) < 0) {
            return;
        }
        for (int i = 0; i < expected.length; i++) {
            byte found = actual.get(ValueLayout.JAVA_BYTE, i);
            if (found != expected[i]) {
                count++;
                if (mismatches.size() < MOST_TOLD) {
                    mismatches.add(new Mismatch(buffer.index(), item, i, expected[i] & 0xff, found & 0xff));
                }
            }
        }
    }

    long count() {
        return count;
    }

    List<Mismatch> mismatches() {
        return mismatches;
    }
}
