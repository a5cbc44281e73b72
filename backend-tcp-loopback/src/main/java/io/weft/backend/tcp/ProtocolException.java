package io.weft.backend.tcp;

import java.io.IOException;

/** A peer sent what the protocol forbids; the connection is closed and the case counted (rule SEC-2). */
final class ProtocolException extends IOException {
    private static final long serialVersionUID = 1L;

    ProtocolException(String message) {
        super(message);
    }
}
