package io.weft.api;

import java.util.List;
import java.util.Objects;

/**
 * How a transfer was carried out: which path it really took and what it cost.
 *
 * <p>Immutable; safe from any thread. Built by the engine with {@link Builder}; fields may be added.
 *
 * @since 0.1
 */
public final class Receipt {
    private final String backend;
    private final List<String> devices;
    private final int lanes;
    private final List<Long> bytesPerLane;
    private final long bytes;
    private final int segments;
    private final int segmentsAfterCoalescing;
    private final int operations;
    private final int stagingCopies;
    private final int retries;
    private final int replays;
    private final long queueNanos;
    private final long wireNanos;
    private final RemoteQuiescence remote;

    private Receipt(Builder b) {
        backend = b.backend;
        devices = List.copyOf(b.devices);
        lanes = b.lanes;
        bytesPerLane = List.copyOf(b.bytesPerLane);
        bytes = b.bytes;
        segments = b.segments;
        segmentsAfterCoalescing = b.segmentsAfterCoalescing;
        operations = b.operations;
        stagingCopies = b.stagingCopies;
        retries = b.retries;
        replays = b.replays;
        queueNanos = b.queueNanos;
        wireNanos = b.wireNanos;
        remote = b.remote;
    }

    /**
     * Starts a receipt.
     *
     * @return a builder with zeros
     */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * The backend that carried the bytes.
     *
     * @return its name, empty if no route was taken
     */
    public String backend() {
        return backend;
    }

    /**
     * Devices used.
     *
     * @return device names as the backend reports them
     */
    public List<String> devices() {
        return devices;
    }

    /**
     * Lanes (connections, queue pairs) available to the link.
     *
     * @return a count
     */
    public int lanes() {
        return lanes;
    }

    /**
     * Bytes per lane, where the backend counts them.
     *
     * @return one entry per lane, or an empty list
     */
    public List<Long> bytesPerLane() {
        return bytesPerLane;
    }

    /**
     * Bytes that were to move.
     *
     * @return bytes
     */
    public long bytes() {
        return bytes;
    }

    /**
     * Segments as given.
     *
     * @return a count over all region pairs
     */
    public int segments() {
        return segments;
    }

    /**
     * Segments after sorting and merging.
     *
     * @return a count over all region pairs
     */
    public int segmentsAfterCoalescing() {
        return segmentsAfterCoalescing;
    }

    /**
     * Operations posted to the backend, replays included.
     *
     * @return a count
     */
    public int operations() {
        return operations;
    }

    /**
     * Copies through a staging buffer; more than 0 means the path was not direct (rule DEV-3).
     *
     * @return a count
     */
    public int stagingCopies() {
        return stagingCopies;
    }

    /**
     * Posts that the backend asked to repeat.
     *
     * @return a count
     */
    public int retries() {
        return retries;
    }

    /**
     * How often the transfer was carried over to a rebuilt link (rule DL-4).
     *
     * @return a count
     */
    public int replays() {
        return replays;
    }

    /**
     * Time from the call to the first post.
     *
     * @return nanoseconds
     */
    public long queueNanos() {
        return queueNanos;
    }

    /**
     * Time from the first post to the end.
     *
     * @return nanoseconds
     */
    public long wireNanos() {
        return wireNanos;
    }

    /**
     * What is known of the remote side.
     *
     * @return the quiescence
     */
    public RemoteQuiescence remote() {
        return remote;
    }

    @Override
    public String toString() {
        return "Receipt[" + (backend.isEmpty() ? "no route" : backend) + " " + bytes + " bytes, " + segments + "->"
                + segmentsAfterCoalescing + " segments in " + operations + " operations, " + replays
                + " replays, queue " + queueNanos + " ns, wire " + wireNanos + " ns, remote " + remote + "]";
    }

    /**
     * Collects the fields of a receipt. Confined to one thread; setters return this builder.
     *
     * @since 0.1
     */
    public static final class Builder {
        private String backend = "";
        private List<String> devices = List.of();
        private int lanes;
        private List<Long> bytesPerLane = List.of();
        private long bytes;
        private int segments;
        private int segmentsAfterCoalescing;
        private int operations;
        private int stagingCopies;
        private int retries;
        private int replays;
        private long queueNanos;
        private long wireNanos;
        private RemoteQuiescence remote = RemoteQuiescence.QUIESCED;

        private Builder() {}

        /**
         * Sets the path.
         *
         * @param name backend name
         * @param deviceNames devices used
         * @return this
         */
        public Builder path(String name, List<String> deviceNames) {
            backend = Objects.requireNonNull(name, "name");
            devices = Objects.requireNonNull(deviceNames, "deviceNames");
            return this;
        }

        /**
         * Sets the lanes.
         *
         * @param count lanes of the link
         * @param perLane bytes per lane, may be empty
         * @return this
         */
        public Builder lanes(int count, List<Long> perLane) {
            lanes = count;
            bytesPerLane = Objects.requireNonNull(perLane, "perLane");
            return this;
        }

        /**
         * Sets the sizes.
         *
         * @param total bytes
         * @param given segments as given
         * @param coalesced segments after merging
         * @return this
         */
        public Builder sizes(long total, int given, int coalesced) {
            bytes = total;
            segments = given;
            segmentsAfterCoalescing = coalesced;
            return this;
        }

        /**
         * Sets the counts.
         *
         * @param posted operations posted
         * @param staged staging copies
         * @param retried repeated posts
         * @param replayed replays on a rebuilt link
         * @return this
         */
        public Builder counts(int posted, int staged, int retried, int replayed) {
            operations = posted;
            stagingCopies = staged;
            retries = retried;
            replays = replayed;
            return this;
        }

        /**
         * Sets the times.
         *
         * @param queue nanoseconds before the first post
         * @param wire nanoseconds after it
         * @return this
         */
        public Builder times(long queue, long wire) {
            queueNanos = queue;
            wireNanos = wire;
            return this;
        }

        /**
         * Sets the remote side's state.
         *
         * @param value what is known
         * @return this
         */
        public Builder remote(RemoteQuiescence value) {
            remote = Objects.requireNonNull(value, "remote");
            return this;
        }

        /**
         * Makes the receipt.
         *
         * @return an immutable receipt
         */
        public Receipt build() {
            return new Receipt(this);
        }
    }
}
