package io.weft.engine.internal.route;

import io.weft.engine.internal.control.Hello;
import java.util.Optional;

/**
 * What routing has to know of a peer.
 *
 * @param key wire key
 * @param plain whether it is a plain MORI-IO engine
 * @param hello what it said of itself, empty before it was connected
 * @param quarantine why a backend is left alone for this peer
 */
public record RoutePeer(String key, boolean plain, Optional<Hello> hello, Quarantines quarantine) {
    /** Looks a quarantine up. */
    @FunctionalInterface
    public interface Quarantines {
        /** Nothing is in quarantine. */
        Quarantines NONE = index -> Optional.empty();

        /**
         * Why a backend is left alone.
         *
         * @param backendIndex the backend
         * @return the reason, empty if it is not in quarantine
         */
        Optional<String> reason(int backendIndex);
    }
}
