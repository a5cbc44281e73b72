package io.weft.engine.internal.control.socket;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Settings of a {@link SocketControlPlane}. Immutable; safe from any thread; never prints the secret (rule SEC-4). */
public final class SocketSettings {
    final String listenHost;
    final int listenPort;
    final @Nullable String advertiseHost;
    final int advertisePort;
    final Secret secret;
    final long heartbeatNanos;
    final long suspectNanos;
    final long lostNanos;
    final long handshakeNanos;
    final int maxPending;
    final int maxSessions;
    final int maxWaiting;
    final int outboxBytes;

    private SocketSettings(Builder b) {
        listenHost = b.listenHost;
        listenPort = b.listenPort;
        advertiseHost = b.advertiseHost;
        advertisePort = b.advertisePort;
        secret = b.secret;
        heartbeatNanos = b.heartbeat.toNanos();
        suspectNanos = b.suspect.toNanos();
        lostNanos = b.lost.toNanos();
        handshakeNanos = b.handshake.toNanos();
        maxPending = b.maxPending;
        maxSessions = b.maxSessions;
        maxWaiting = b.maxWaiting;
        outboxBytes = b.outboxBytes;
    }

    /** How often peers are asked to say that they live: often enough for one lost beat not to make them suspect. */
    long askedNanos() {
        return Math.min(heartbeatNanos, suspectNanos / 3);
    }

    /**
     * Starts from the defaults: loopback, any port, no secret, heartbeat 1 s, suspect 3 s, lost 10 s.
     *
     * @return a builder
     */
    public static Builder builder() {
        return new Builder();
    }

    /** Collects settings. Confined to one thread; setters return this builder. */
    public static final class Builder {
        private String listenHost = "127.0.0.1";
        private int listenPort;
        private @Nullable String advertiseHost;
        private int advertisePort;
        private Secret secret = Secret.NONE;
        private Duration heartbeat = Duration.ofSeconds(1);
        private Duration suspect = Duration.ofSeconds(3);
        private Duration lost = Duration.ofSeconds(10);
        private Duration handshake = Duration.ofSeconds(5);
        private int maxPending = 256;
        private int maxSessions = 4_096;
        private int maxWaiting = 1_024;
        private int outboxBytes = 8 * 1024 * 1024;

        private Builder() {}

        /**
         * Where to listen.
         *
         * @param host address or name of this machine; a wildcard listens everywhere
         * @param port TCP port, 0 for any
         * @return this
         */
        public Builder listen(String host, int port) {
            listenHost = host;
            listenPort = port;
            return this;
        }

        /**
         * What peers are told to dial.
         *
         * @param host address or name, null for the listening address; never a wildcard
         * @param port TCP port, 0 for the listening port
         * @return this
         */
        public Builder advertise(@Nullable String host, int port) {
            advertiseHost = host;
            advertisePort = port;
            return this;
        }

        /**
         * What peers must know.
         *
         * @param value the secret; null or empty for none
         * @return this
         */
        public Builder secret(@Nullable String value) {
            secret = Secret.of(value == null ? null : value.getBytes(StandardCharsets.UTF_8));
            return this;
        }

        /**
         * When a silent peer is suspected and lost.
         *
         * @param interval how often this engine says that it lives
         * @param suspectAfter silence after which new work waits
         * @param lostAfter silence after which the session ends
         * @return this
         * @throws IllegalArgumentException unless 0 &lt; interval &lt; suspectAfter &lt; lostAfter
         */
        public Builder heartbeat(Duration interval, Duration suspectAfter, Duration lostAfter) {
            if (!interval.isPositive()
                    || interval.compareTo(suspectAfter) >= 0
                    || suspectAfter.compareTo(lostAfter) >= 0) {
                throw new IllegalArgumentException("heartbeat " + interval + ", suspect " + suspectAfter + ", lost "
                        + lostAfter + ": each must be longer than the one before and the first positive");
            }
            heartbeat = interval;
            suspect = suspectAfter;
            lost = lostAfter;
            return this;
        }

        /**
         * How long a connection may take to say what it is.
         *
         * @param value a positive time
         * @return this
         */
        public Builder handshake(Duration value) {
            handshake = value;
            return this;
        }

        /**
         * Bounds.
         *
         * @param pending accepted connections that are not sessions yet; the oldest is closed beyond
         * @param sessions peers at a time
         * @param waiting requests without an answer in one session
         * @param outbox bytes that wait for one slow reader
         * @return this
         */
        public Builder limits(int pending, int sessions, int waiting, int outbox) {
            maxPending = pending;
            maxSessions = sessions;
            maxWaiting = waiting;
            outboxBytes = outbox;
            return this;
        }

        /**
         * Makes the settings.
         *
         * @return immutable settings
         */
        public SocketSettings build() {
            return new SocketSettings(this);
        }
    }
}
