package io.weft.testkit;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What registered memory may hold. Regions are plain byte arrays; after a failed or cancelled transfer each named destination byte
 * may hold its old value or the source's (rule WR-10), so a byte has a set of legal values, which shrinks to one when somebody
 * looks. Confined to one thread.
 */
public final class ReferenceModel {
    /** One region: the value of each byte, and the legal values of the bytes that are in doubt. */
    private static final class Model {
        final byte[] bytes;
        final Map<Integer, BitSet> doubtful = new HashMap<>();

        Model(byte[] bytes) {
            this.bytes = bytes;
        }

        BitSet legal(int at) {
            BitSet values = doubtful.get(at);
            if (values == null) {
                values = new BitSet(256);
                values.set(bytes[at] & 0xFF);
            }
            return values;
        }

        void set(int at, BitSet values) {
            if (values.cardinality() == 1) {
                bytes[at] = (byte) values.nextSetBit(0);
                doubtful.remove(at);
            } else {
                doubtful.put(at, values);
            }
        }
    }

    private final Map<String, Model> regions = new HashMap<>();

    /** Starts without regions. */
    public ReferenceModel() {}

    /**
     * Adds a region, or starts it anew.
     *
     * @param name any name
     * @param content its bytes now, copied
     */
    public void region(String name, MemorySegment content) {
        regions.put(name, new Model(content.toArray(ValueLayout.JAVA_BYTE)));
    }

    /**
     * The application stored into a region.
     *
     * @param name the region
     * @param offset first byte
     * @param bytes what was stored
     */
    public void stored(String name, int offset, byte[] bytes) {
        Model model = model(name);
        System.arraycopy(bytes, 0, model.bytes, offset, bytes.length);
        for (int i = 0; i < bytes.length; i++) {
            model.doubtful.remove(offset + i);
        }
    }

    /**
     * A segment of a transfer that succeeded.
     *
     * @param from source region
     * @param fromOffset first source byte
     * @param to destination region
     * @param toOffset first destination byte
     * @param length bytes
     */
    public void moved(String from, int fromOffset, String to, int toOffset, int length) {
        Model source = model(from);
        Model destination = model(to);
        if (source.doubtful.isEmpty() && destination.doubtful.isEmpty()) {
            System.arraycopy(source.bytes, fromOffset, destination.bytes, toOffset, length);
            return;
        }
        BitSet[] values = new BitSet[length];
        for (int i = 0; i < length; i++) {
            values[i] = source.legal(fromOffset + i);
        }
        for (int i = 0; i < length; i++) {
            destination.set(toOffset + i, (BitSet) values[i].clone());
        }
    }

    /**
     * A segment of a transfer that failed, was cancelled, or is still in progress: each byte is old or new.
     *
     * @param from source region
     * @param fromOffset first source byte
     * @param to destination region
     * @param toOffset first destination byte
     * @param length bytes
     */
    public void mayHaveMoved(String from, int fromOffset, String to, int toOffset, int length) {
        Model source = model(from);
        Model destination = model(to);
        for (int i = 0; i < length; i++) {
            BitSet values = (BitSet) destination.legal(toOffset + i).clone();
            values.or(source.legal(fromOffset + i));
            destination.set(toOffset + i, values);
        }
    }

    /**
     * Compares a region with what it may hold, and settles every doubt by what is seen.
     *
     * @param name the region
     * @param actual its memory now
     * @return the first byte that holds what no legal order of events can have left there; empty if all are legal
     */
    public Optional<String> observe(String name, MemorySegment actual) {
        Model model = model(name);
        byte[] expected = model.doubtful.isEmpty() ? model.bytes : model.bytes.clone();
        for (Map.Entry<Integer, BitSet> doubt : model.doubtful.entrySet()) {
            int at = doubt.getKey();
            byte seen = actual.get(ValueLayout.JAVA_BYTE, at);
            if (!doubt.getValue().get(seen & 0xFF)) {
                return Optional.of(difference(name, at, seen, "one of " + doubt.getValue()));
            }
            expected[at] = seen;
        }
        long at = actual.mismatch(MemorySegment.ofArray(expected));
        if (at < 0) {
            model.doubtful.keySet().forEach(doubt -> model.bytes[doubt] = expected[doubt]);
            model.doubtful.clear();
            return Optional.empty();
        }
        if (at >= Math.min(actual.byteSize(), model.bytes.length)) {
            return Optional.of(
                    "region " + name + " has " + actual.byteSize() + " bytes, the model " + model.bytes.length);
        }
        byte seen = actual.get(ValueLayout.JAVA_BYTE, at);
        return Optional.of(difference(name, (int) at, seen, Integer.toString(model.bytes[(int) at] & 0xFF)));
    }

    /**
     * The bytes a region must hold when nothing is in doubt.
     *
     * @param name the region
     * @return a copy
     * @throws IllegalStateException if bytes are in doubt
     */
    public byte[] expected(String name) {
        Model model = model(name);
        if (!model.doubtful.isEmpty()) {
            throw new IllegalStateException(model.doubtful.size() + " bytes of region " + name + " are in doubt");
        }
        return Arrays.copyOf(model.bytes, model.bytes.length);
    }

    private static String difference(String name, int at, byte seen, String legal) {
        return "region " + name + ", byte " + at + ": found " + (seen & 0xFF) + ", legal is " + legal;
    }

    private Model model(String name) {
        Model model = regions.get(name);
        if (model == null) {
            throw new IllegalArgumentException("no region " + name + " in the model; there are " + regions.keySet());
        }
        return model;
    }
}
