package io.weft.backend.libfabric;

import io.weft.spi.Peer;

/**
 * What a target has said of the endpoints that it made for this engine. It closes one to fence this engine, and the provider does not
 * tell of that: one that connects by itself (ofi_rxm) tries the closed endpoint's address again and again, and until then every
 * post is to be tried later. So the target says it over the control connection.
 *
 * <p>Written by control threads, read by connecting ones and by the poller.
 */
final class TargetWatch {
    private final String key;
    private final long incarnation;
    private volatile long goneUpTo;

    TargetWatch(Peer peer) {
        key = peer.key();
        incarnation = peer.incarnation();
    }

    boolean isOf(Peer peer) {
        return incarnation == peer.incarnation() && key.equals(peer.key());
    }

    /** A target makes one endpoint after the other for a peer and numbers them, so all before a closed one are closed too. */
    synchronized void gone(long id) {
        goneUpTo = Math.max(goneUpTo, id);
    }

    boolean isGone(long id) {
        return id <= goneUpTo;
    }
}
