package io.weft.spi;

import java.util.concurrent.CompletableFuture;

/**
 * A peer as backends see it. Implemented by Weft only; safe from any thread. One object stands for one incarnation: when a
 * peer restarts, its next object differs.
 *
 * @since 0.1
 */
public interface Peer {
    /**
     * The wire key.
     *
     * @return the key
     */
    String key();

    /**
     * Which incarnation.
     *
     * @return 64 random bits, 0 for plain MORI-IO engines
     */
    long incarnation();

    /**
     * Whether it is a plain MORI-IO engine, which must never be sent what MORI does not know.
     *
     * @return true without Weft's marker
     */
    boolean isPlain();

    /**
     * Where its engine listens.
     *
     * @return a numeric address
     */
    String host();

    /**
     * Where its engine listens.
     *
     * @return a TCP port
     */
    int port();

    /**
     * What the same backend of the peer gave as {@link Backend#localAddress}.
     *
     * @return a copy; empty for plain peers
     */
    byte[] address();

    /**
     * Asks the same backend of the peer, over core's authenticated control connection.
     *
     * @param request at most 65 536 opaque bytes, copied
     * @param deadlineNanos a value of the context's {@link EngineClock}
     * @return the answer; completes exceptionally with {@link io.weft.api.WeftException} UNREACHABLE, PEER_LOST,
     *     DEADLINE_EXCEEDED, or UNSUPPORTED for plain peers
     */
    CompletableFuture<byte[]> call(byte[] request, long deadlineNanos);

    /**
     * Tells the same backend of the peer something, without an answer.
     *
     * @param message at most 65 536 opaque bytes, copied
     * @return whether it was queued; false when the control connection is down or its bounded queue is full
     */
    boolean send(byte[] message);

    /**
     * Proves on a connection of the backend's own that it belongs to the authenticated control connection (rule SEC-3).
     *
     * @param context bytes that name the connection, with a nonce of the other side, so that a proof is good once
     * @return the proof, empty if no secret is configured
     */
    byte[] prove(byte[] context);

    /**
     * Checks a proof in constant time.
     *
     * @param context the same bytes
     * @param proof what the peer sent
     * @return true if right, or if no secret is configured
     */
    boolean verify(byte[] context, byte[] proof);
}
