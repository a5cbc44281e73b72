package io.weft.engine.internal.control;

import io.weft.api.ErrorCode;
import io.weft.spi.PeerDirectory;
import io.weft.spi.WireClaim;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The engine as its control plane sees it. Implemented by the engine.
 *
 * <p>Threading: called on control threads, concurrently for different sessions, in order and one at a time for one session,
 * except that {@link #exportKey}, {@link #revoked}, {@link #fence} and {@link #call} may block up to their deadline and
 * therefore run beside the session's other calls. {@link #onOpen} comes first, {@link #onClosed} last and exactly once.
 */
public interface ControlHandler {
    /**
     * What to say to peers.
     *
     * @return the hello, asked anew for each session
     */
    Hello hello();

    /**
     * Backends that take over accepted connections by their first bytes.
     *
     * @return the claims, asked anew for each connection
     */
    List<WireClaim> wireClaims();

    /**
     * A session began, dialled by either side.
     *
     * @param session the session
     */
    void onOpen(ControlSession session);

    /**
     * A session's liveness changed between alive and suspect.
     *
     * @param session the session
     */
    void onLiveness(ControlSession session);

    /**
     * A session ended.
     *
     * @param session the session
     * @param code why: PEER_LOST, PROTOCOL, CLOSED
     * @param text what happened
     */
    void onClosed(ControlSession session, ErrorCode code, String text);

    /**
     * Answers {@link ControlSession#fetchKey}.
     *
     * @param from who asks
     * @param backend provider name
     * @param regionId the region
     * @return the key
     * @throws io.weft.api.WeftException REMOTE_ACCESS for unknown regions, UNSUPPORTED for unknown backends
     */
    byte[] exportKey(ControlSession from, String backend, int regionId);

    /**
     * Answers {@link ControlSession#revoke}: returns when nothing here uses the peer's region any more.
     *
     * @param from whose region
     * @param regionId the region
     * @param deadlineNanos a value of the engine's clock
     */
    void revoked(ControlSession from, int regionId, long deadlineNanos);

    /**
     * Answers {@link ControlSession#requestFence}.
     *
     * @param from whom to cut off
     * @param backend provider name
     * @param deadlineNanos a value of the engine's clock
     * @return whether it is cut off
     */
    boolean fence(ControlSession from, String backend, long deadlineNanos);

    /**
     * Takes {@link ControlSession#tellEnd}.
     *
     * @param from the initiator
     * @param end the end
     */
    void ended(ControlSession from, InboundEnd end);

    /**
     * Answers {@link ControlSession#call}.
     *
     * @param from who asks
     * @param backend provider name
     * @param request opaque bytes
     * @return the answer
     * @throws io.weft.api.WeftException to refuse
     */
    byte[] call(ControlSession from, String backend, byte[] request);

    /**
     * As {@link #call}, where the answer may come later, so that calls of one session overlap. Calls begin in order.
     *
     * @param from who asks
     * @param backend provider name
     * @param request opaque bytes
     * @return the answer, or the failure that {@link #call} would throw
     * @throws io.weft.api.WeftException to refuse at once
     */
    default CompletableFuture<byte[]> begin(ControlSession from, String backend, byte[] request) {
        return CompletableFuture.completedFuture(call(from, backend, request));
    }

    /**
     * Takes {@link ControlSession#send}.
     *
     * @param from who tells
     * @param backend provider name
     * @param message opaque bytes
     */
    void message(ControlSession from, String backend, byte[] message);

    /**
     * Who may connect without a session.
     *
     * @return the directory given to backends
     */
    PeerDirectory peers();
}
