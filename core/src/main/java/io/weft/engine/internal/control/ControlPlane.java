package io.weft.engine.internal.control;

import io.weft.api.EngineDescriptor;
import io.weft.api.WeftException;
import java.util.Optional;

/**
 * One engine's side of the control plane. Safe from any thread.
 *
 * <p>Between two engines there is at most one session per pair of incarnations, whoever dialled (rule PEER-5); a session
 * ends for good when its connection does.
 */
public interface ControlPlane {
    /**
     * What peers are told to dial, known before {@link #start}, since backends bind their own sockets to it.
     *
     * @return numeric address, never a wildcard
     * @throws WeftException INVALID_ARGUMENT if what is configured is no address of this machine
     */
    String advertisedHost();

    /**
     * Binds and serves. Called once, before anything else.
     *
     * @param handler answers peers and hears of sessions
     * @return where peers dial
     * @throws WeftException if the address cannot be bound
     */
    ControlAddress start(ControlHandler handler);

    /**
     * Gives the session with a peer, dialling it if there is none. Blocks at most up to the deadline.
     *
     * @param peer a peer with Weft's marker
     * @param deadlineNanos a value of the engine's clock
     * @return an authenticated session with the incarnation that the descriptor names
     * @throws WeftException UNREACHABLE, INCOMPATIBLE (VER-1), AUTHENTICATION, STALE_DESCRIPTOR when another incarnation
     *     answers, CLOSED
     */
    ControlSession connect(EngineDescriptor peer, long deadlineNanos);

    /**
     * Looks up the session with a peer.
     *
     * @param peerKey wire key
     * @return the live session, empty if there is none
     */
    Optional<ControlSession> find(String peerKey);

    /**
     * Stops listening and ends all sessions. Idempotent; blocks at most up to the deadline.
     *
     * @param deadlineNanos a value of the engine's clock
     */
    void close(long deadlineNanos);
}
