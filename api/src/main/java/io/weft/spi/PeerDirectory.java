package io.weft.spi;

import io.weft.api.WeftException;
import java.util.Optional;

/**
 * Finds peers for connections that a backend accepts by itself. Implemented by Weft only; safe from any thread, never blocks.
 *
 * @since 0.1
 */
public interface PeerDirectory {
    /**
     * The live peer of that key.
     *
     * @param key a wire key
     * @return the peer with a control connection or added by the application, empty if unknown
     */
    Optional<Peer> find(String key);

    /**
     * Admits a connection of a plain MORI-IO engine, which has no control connection.
     *
     * @param key the key it claims
     * @param remoteAddress where it comes from
     * @return the peer
     * @throws WeftException AUTHENTICATION if a secret is configured and the key is not listed; RESOURCE_EXHAUSTED
     */
    Peer admitPlain(String key, String remoteAddress);
}
