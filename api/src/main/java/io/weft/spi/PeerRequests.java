package io.weft.spi;

/**
 * Serves what the same backend of a peer asks and tells. Implemented by vendors and given to
 * {@link BackendContext#serve}.
 *
 * <p>Threading: called on control threads, concurrently for different peers, one at a time for one peer. May block within the
 * peer's call deadline; a slow answer delays that peer only.
 *
 * @since 0.1
 */
public interface PeerRequests {
    /**
     * Answers {@link Peer#call}.
     *
     * @param peer who asks
     * @param request opaque bytes, owned by the callee
     * @return at most 65 536 bytes
     * @throws io.weft.api.WeftException to refuse; code and text reach the caller
     */
    byte[] onCall(Peer peer, byte[] request);

    /**
     * Takes {@link Peer#send}.
     *
     * @param peer who tells
     * @param message opaque bytes, owned by the callee
     */
    void onMessage(Peer peer, byte[] message);
}
