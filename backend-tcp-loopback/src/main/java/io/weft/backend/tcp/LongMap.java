package io.weft.backend.tcp;

import java.util.Arrays;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A small hash map from long, without a box or a node per entry. Confined to one thread at a time. */
final class LongMap<V> {
    private long[] keys = new long[16];
    private @Nullable Object[] values = new Object[16];
    private int size;

    int size() {
        return size;
    }

    @SuppressWarnings("unchecked") // only values of type V are put in
    @Nullable
    V get(long key) {
        return (V) values[find(key)];
    }

    /** Adds an entry for a key that is not in the map. */
    void put(long key, V value) {
        if (2 * (size + 1) > keys.length) {
            grow();
        }
        int at = find(key);
        keys[at] = key;
        values[at] = value;
        size++;
    }

    void remove(long key) {
        int hole = find(key);
        if (values[hole] == null) {
            return;
        }
        size--;
        int mask = keys.length - 1;
        // Move back what only stood behind the hole for want of a better place.
        for (int i = (hole + 1) & mask; values[i] != null; i = (i + 1) & mask) {
            int home = home(keys[i]);
            if (((i - home) & mask) >= ((i - hole) & mask)) {
                keys[hole] = keys[i];
                values[hole] = values[i];
                hole = i;
            }
        }
        values[hole] = null;
    }

    void clear() {
        Arrays.fill(values, null);
        size = 0;
    }

    @SuppressWarnings("unchecked") // only values of type V are put in
    void forEach(Consumer<V> action) {
        for (Object value : values) {
            if (value != null) {
                action.accept((V) value);
            }
        }
    }

    @SuppressWarnings("unchecked") // only values of type V are put in
    @Nullable
    V findFirst(Predicate<V> which) {
        for (Object value : values) {
            if (value != null && which.test((V) value)) {
                return (V) value;
            }
        }
        return null;
    }

    private int find(long key) {
        int at = home(key);
        while (values[at] != null && keys[at] != key) {
            at = (at + 1) & (keys.length - 1);
        }
        return at;
    }

    private int home(long key) {
        return (int) ((key * 0x9E3779B97F4A7C15L) >>> 32) & (keys.length - 1);
    }

    private void grow() {
        long[] oldKeys = keys;
        @Nullable Object[] oldValues = values;
        keys = new long[oldKeys.length * 2];
        values = new Object[oldKeys.length * 2];
        for (int i = 0; i < oldKeys.length; i++) {
            if (oldValues[i] != null) {
                int at = find(oldKeys[i]);
                keys[at] = oldKeys[i];
                values[at] = oldValues[i];
            }
        }
    }
}
