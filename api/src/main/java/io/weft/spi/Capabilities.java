package io.weft.spi;

import io.weft.api.MemoryKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * What an open backend can do, as data. The kit checks it both ways: declared works, undeclared fails with UNSUPPORTED
 * before any byte moves (rule CAP-1).
 *
 * <p>Immutable; safe from any thread.
 *
 * @since 0.1
 */
public final class Capabilities {
    /**
     * Who enforces bounds and rights against a hostile peer (rules SEC-1a, SEC-1b).
     *
     * @since 0.1
     */
    public enum Enforcement {
        /** The target's side, hardware or software: nothing a peer sends reaches outside its rights. */
        TARGET,
        /** Only a conforming initiator's checks; shown as trusting its peers and refused under strict trust. */
        INITIATOR
    }

    /**
     * How far a backend can reach.
     *
     * @since 0.1
     */
    public enum Reach {
        /** Engines of its own process. */
        PROCESS,
        /** Engines on its own host. */
        HOST,
        /** Engines on other hosts too. */
        NETWORK
    }

    private final List<TransferSupport> transfers;
    private final ProgressModel progress;
    private final boolean targetNeedsProgress;
    private final Enforcement enforcement;
    private final Reach reach;
    private final Duration quiesceTime;
    private final boolean announces;
    private final boolean speaksToPlainPeers;
    private final String degraded;
    private final Map<String, String> vendor;

    private Capabilities(Builder b) {
        transfers = List.copyOf(b.transfers);
        progress = b.progress;
        targetNeedsProgress = b.targetNeedsProgress;
        enforcement = b.enforcement;
        reach = b.reach;
        quiesceTime = b.quiesceTime;
        announces = b.announces;
        speaksToPlainPeers = b.speaksToPlainPeers;
        degraded = b.degraded;
        vendor = Map.copyOf(b.vendor);
    }

    /**
     * Starts with nothing declared, own threads, enforcement at the target, the network in reach and a quiesce time of one
     * second.
     *
     * @return a builder
     */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * What can be moved directly.
     *
     * @return every supported combination
     */
    public List<TransferSupport> transfers() {
        return transfers;
    }

    /**
     * Looks up one combination.
     *
     * @param kind the operation
     * @param local local memory kind
     * @param remote remote memory kind
     * @return the support, empty if not declared
     */
    public Optional<TransferSupport> find(OperationKind kind, MemoryKind local, MemoryKind remote) {
        for (TransferSupport support : transfers) {
            if (support.kind() == kind
                    && support.local().equals(local)
                    && support.remote().equals(remote)) {
                return Optional.of(support);
            }
        }
        return Optional.empty();
    }

    /**
     * Who drives the backend.
     *
     * @return the model
     */
    public ProgressModel progress() {
        return progress;
    }

    /**
     * Whether the target must be progressed for a peer's operation to end.
     *
     * @return true if so; core then keeps progress threads running on idle engines too
     */
    public boolean targetNeedsProgress() {
        return targetNeedsProgress;
    }

    /**
     * Who enforces bounds.
     *
     * @return the side
     */
    public Enforcement enforcement() {
        return enforcement;
    }

    /**
     * How far it reaches; connecting to an engine farther away fails with UNREACHABLE.
     *
     * @return the reach
     */
    public Reach reach() {
        return reach;
    }

    /**
     * How long a fence may take after a deadline (rule DL-1).
     *
     * @return a positive duration; over 5 s is a warning in the certificate
     */
    public Duration quiesceTime() {
        return quiesceTime;
    }

    /**
     * Whether the backend itself can tell the target of a transfer's end ({@link Operation#announce}).
     *
     * @return true if so
     */
    public boolean announces() {
        return announces;
    }

    /**
     * Whether the backend can reach plain MORI-IO engines, which know no Weft control connection.
     *
     * @return true for wire-compatible backends
     */
    public boolean speaksToPlainPeers() {
        return speaksToPlainPeers;
    }

    /**
     * Why routes over this backend count as degraded (rule CFG-3).
     *
     * @return the reason, empty if not degraded
     */
    public String degraded() {
        return degraded;
    }

    /**
     * The vendor's own facts, shown and never interpreted. A fact {@code direct-KIND} says why memory of that kind is not moved
     * directly; explanations of staged routes quote it.
     *
     * @return key and value
     */
    public Map<String, String> vendor() {
        return vendor;
    }

    /**
     * Collects capabilities. Confined to one thread; setters return this builder.
     *
     * @since 0.1
     */
    public static final class Builder {
        private final List<TransferSupport> transfers = new ArrayList<>();
        private final Map<String, String> vendor = new HashMap<>();
        private ProgressModel progress = ProgressModel.OWN_THREADS;
        private boolean targetNeedsProgress;
        private Enforcement enforcement = Enforcement.TARGET;
        private Reach reach = Reach.NETWORK;
        private Duration quiesceTime = Duration.ofSeconds(1);
        private boolean announces;
        private boolean speaksToPlainPeers;
        private String degraded = "";

        private Builder() {}

        /**
         * Declares one combination.
         *
         * @param kind the operation
         * @param local local memory kind
         * @param remote remote memory kind
         * @param visibility when the bytes are seen
         * @return this
         */
        public Builder supports(OperationKind kind, MemoryKind local, MemoryKind remote, Visibility visibility) {
            transfers.add(new TransferSupport(kind, local, remote, visibility));
            return this;
        }

        /**
         * Declares writes and reads between host memory.
         *
         * @param visibility when the bytes are seen
         * @return this
         */
        public Builder supportsHost(Visibility visibility) {
            return supports(OperationKind.WRITE, MemoryKind.HOST, MemoryKind.HOST, visibility)
                    .supports(OperationKind.READ, MemoryKind.HOST, MemoryKind.HOST, visibility);
        }

        /**
         * Sets who drives the backend.
         *
         * @param model the model
         * @param targetToo whether the target must be progressed
         * @return this
         */
        public Builder progress(ProgressModel model, boolean targetToo) {
            progress = Objects.requireNonNull(model, "model");
            targetNeedsProgress = targetToo;
            return this;
        }

        /**
         * Sets who enforces bounds.
         *
         * @param side the side
         * @return this
         */
        public Builder enforcement(Enforcement side) {
            enforcement = Objects.requireNonNull(side, "side");
            return this;
        }

        /**
         * Sets how far it reaches.
         *
         * @param farthest the reach
         * @return this
         */
        public Builder reach(Reach farthest) {
            reach = Objects.requireNonNull(farthest, "farthest");
            return this;
        }

        /**
         * Sets the quiesce time.
         *
         * @param bound a positive duration
         * @return this
         */
        public Builder quiesceTime(Duration bound) {
            quiesceTime = Objects.requireNonNull(bound, "bound");
            return this;
        }

        /**
         * Declares that the backend can announce transfers by itself.
         *
         * @return this
         */
        public Builder announces() {
            announces = true;
            return this;
        }

        /**
         * Declares that the backend can reach plain MORI-IO engines.
         *
         * @return this
         */
        public Builder speaksToPlainPeers() {
            speaksToPlainPeers = true;
            return this;
        }

        /**
         * Marks routes over this backend as degraded.
         *
         * @param reason why
         * @return this
         */
        public Builder degraded(String reason) {
            degraded = Objects.requireNonNull(reason, "reason");
            return this;
        }

        /**
         * Adds a vendor fact.
         *
         * @param key name
         * @param value value
         * @return this
         */
        public Builder vendor(String key, String value) {
            vendor.put(key, value);
            return this;
        }

        /**
         * Makes the capabilities.
         *
         * @return an immutable value
         */
        public Capabilities build() {
            return new Capabilities(this);
        }
    }
}
