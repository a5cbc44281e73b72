package io.weft.engine.internal.control;

import io.weft.api.PeerState;
import java.util.concurrent.CompletableFuture;

/**
 * An authenticated control connection to one incarnation of one peer. Safe from any thread; nothing here blocks. What a
 * request's future completes with is run on control threads; exceptional ends are {@link io.weft.api.WeftException}:
 * PEER_LOST when the session ended, DEADLINE_EXCEEDED, RESOURCE_EXHAUSTED when too many requests wait, or what the peer
 * answered.
 */
public interface ControlSession {
    /**
     * What the peer said of itself.
     *
     * @return the hello
     */
    Hello peer();

    /**
     * Liveness by heartbeat.
     *
     * @return the state
     */
    PeerState state();

    /**
     * Where the peer is, as this side sees it.
     *
     * @return numeric address of the other end
     */
    String remoteHost();

    /**
     * Fetches the key of a peer's region; the peer then counts this engine among those to tell of its revocation.
     *
     * @param backend provider name
     * @param regionId the region
     * @param deadlineNanos a value of the engine's clock
     * @return at most 4 160 bytes: a backend's key and what the engine says of the region
     */
    CompletableFuture<byte[]> fetchKey(String backend, int regionId, long deadlineNanos);

    /**
     * Tells the peer that a region of ours is going away.
     *
     * @param regionId the region
     * @param deadlineNanos a value of the engine's clock
     * @return completes when the peer said that nothing there uses the region any more
     */
    CompletableFuture<Void> revoke(int regionId, long deadlineNanos);

    /**
     * Asks the peer to cut this engine off as an initiator ({@code Backend.fencePeer} there).
     *
     * @param backend provider name
     * @param deadlineNanos a value of the engine's clock
     * @return whether the peer's backend confirmed
     */
    CompletableFuture<Boolean> requestFence(String backend, long deadlineNanos);

    /**
     * Tells the peer that a transfer ended. In order with other ends.
     *
     * @param end the end
     * @return whether it was queued; false when the bounded queue is full or the session over
     */
    boolean tellEnd(InboundEnd end);

    /**
     * A backend's own request.
     *
     * @param backend provider name
     * @param request at most 65 536 bytes
     * @param deadlineNanos a value of the engine's clock
     * @return the answer
     */
    CompletableFuture<byte[]> call(String backend, byte[] request, long deadlineNanos);

    /**
     * A backend's own message.
     *
     * @param backend provider name
     * @param message at most 65 536 bytes
     * @return whether it was queued
     */
    boolean send(String backend, byte[] message);

    /**
     * Proof for another connection of the same pair, see {@code Peer.prove}.
     *
     * @param context bytes that name the connection
     * @return the proof, empty without a secret
     */
    byte[] prove(byte[] context);

    /**
     * Checks a proof.
     *
     * @param context the same bytes
     * @param proof what the peer sent
     * @return true if right, or without a secret
     */
    boolean verify(byte[] context, byte[] proof);

    /**
     * Ends the session. Idempotent.
     *
     * @param why told to the peer and the handler
     */
    void close(String why);
}
