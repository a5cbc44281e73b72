package io.weft.engine.internal;

import io.weft.api.EngineDescriptor;
import io.weft.api.ErrorCode;
import io.weft.api.WeftException;
import java.net.InetAddress;

/** Checks where a peer says it listens. */
final class PeerAddress {
    private PeerAddress() {}

    static void check(EngineDescriptor peer) {
        if (peer.key().isEmpty()) {
            throw bad(peer, "its key is empty");
        }
        if (peer.port() < 1 || peer.port() > 65_535) {
            throw bad(peer, "its port is " + peer.port() + ", must be 1 to 65535");
        }
        InetAddress address;
        try {
            address = InetAddress.ofLiteral(peer.host());
        } catch (IllegalArgumentException notNumeric) {
            throw bad(peer, "its host '" + peer.host() + "' is no numeric IPv4 or IPv6 address");
        }
        if (address.isAnyLocalAddress()) {
            throw bad(
                    peer,
                    "its host " + peer.host() + " is a wildcard, which cannot be dialled; set advertise.host there");
        }
    }

    private static WeftException bad(EngineDescriptor peer, String found) {
        return new WeftException(
                ErrorCode.INVALID_ARGUMENT, "add peer '" + peer.key() + "': " + found + "; fetch its descriptor anew");
    }
}
