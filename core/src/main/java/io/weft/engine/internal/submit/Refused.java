package io.weft.engine.internal.submit;

import io.weft.api.ErrorCode;

/** Arguments that make no transfer. Never leaves the package as an exception of a transfer call; carries no stack trace. */
final class Refused extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final ErrorCode code;

    Refused(ErrorCode code, String text) {
        super(text, null, false, false);
        this.code = code;
    }

    ErrorCode code() {
        return code;
    }

    String text() {
        return String.valueOf(getMessage());
    }
}
