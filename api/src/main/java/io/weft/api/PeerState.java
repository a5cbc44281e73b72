package io.weft.api;

/**
 * What the engine knows of a peer.
 *
 * @since 0.1
 */
public enum PeerState {
    /** Known, nothing connected yet (rule PEER-1). */
    KNOWN,
    /** Being connected. */
    CONNECTING,
    /** Connected and alive. */
    UP,
    /** No heartbeat for the suspect time: new posts wait. */
    SUSPECT,
    /** Lost: its transfers failed; the next transfer connects anew (rule PEER-3). */
    LOST
}
