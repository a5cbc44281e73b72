package io.weft.engine.internal.concurrent;

import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A map from int, read without lock and without boxing by any thread, written under its monitor. Open addressing: an entry
 * is published in place, a removed one leaves a mark, and a writer that finds the array half full publishes a new one.
 *
 * @param <V> the values
 */
public final class IntTable<V> {
    /** A null value marks a removed key, over which searches must go on. */
    private record Entry<V>(int key, @Nullable V value) {}

    private volatile AtomicReferenceArray<@Nullable Entry<V>> entries = new AtomicReferenceArray<>(16);
    private int occupied;
    private int size;

    /** Makes an empty table. */
    public IntTable() {}

    /**
     * Looks a key up.
     *
     * @param key the key
     * @return its value, null if there is none
     */
    public @Nullable V get(int key) {
        AtomicReferenceArray<@Nullable Entry<V>> now = entries;
        Entry<V> entry = now.get(find(now, key));
        return entry == null ? null : entry.value;
    }

    /**
     * Enters a value, replacing the key's old one.
     *
     * @param key the key
     * @param value the value
     */
    public synchronized void put(int key, V value) {
        AtomicReferenceArray<@Nullable Entry<V>> now = entries;
        int at = find(now, key);
        Entry<V> old = now.get(at);
        if (old == null && occupied >= now.length() / 2) {
            grow(now);
            put(key, value);
            return;
        }
        occupied += old == null ? 1 : 0;
        size += old == null || old.value == null ? 1 : 0;
        now.set(at, new Entry<>(key, value));
    }

    /**
     * Removes a key.
     *
     * @param key the key
     */
    public synchronized void remove(int key) {
        AtomicReferenceArray<@Nullable Entry<V>> now = entries;
        int at = find(now, key);
        Entry<V> old = now.get(at);
        if (old != null && old.value != null) {
            now.set(at, new Entry<>(key, null));
            size--;
        }
    }

    /**
     * How many there are.
     *
     * @return entries
     */
    public synchronized int size() {
        return size;
    }

    /**
     * Visits what is there; what comes or goes meanwhile may be seen or not.
     *
     * @param visitor gets each value
     */
    public void forEach(Consumer<? super V> visitor) {
        AtomicReferenceArray<@Nullable Entry<V>> now = entries;
        for (int i = 0; i < now.length(); i++) {
            Entry<V> entry = now.get(i);
            if (entry != null && entry.value != null) {
                visitor.accept(entry.value);
            }
        }
    }

    private void grow(AtomicReferenceArray<@Nullable Entry<V>> old) {
        int capacity = 16;
        while (capacity < size * 4) {
            capacity *= 2;
        }
        AtomicReferenceArray<@Nullable Entry<V>> grown = new AtomicReferenceArray<>(capacity);
        for (int i = 0; i < old.length(); i++) {
            Entry<V> entry = old.get(i);
            if (entry != null && entry.value != null) {
                grown.set(find(grown, entry.key), entry);
            }
        }
        occupied = size;
        entries = grown;
    }

    private static <V> int find(AtomicReferenceArray<@Nullable Entry<V>> in, int key) {
        int mask = in.length() - 1;
        int at = (key * 0x9E3779B9) >>> 8 & mask;
        for (Entry<V> entry = in.get(at); entry != null && entry.key != key; entry = in.get(at)) {
            at = at + 1 & mask;
        }
        return at;
    }
}
