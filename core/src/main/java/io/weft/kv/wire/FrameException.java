package io.weft.kv.wire;

import io.weft.kv.wire.Decoded.Reason;

/** Carries a defect from where it is found to where it becomes a value. Without stack trace: strangers cause it at will. */
final class FrameException extends Exception {
    private static final long serialVersionUID = 1L;

    private final Reason reason;

    FrameException(Reason reason, String text) {
        super(text, null, false, false);
        this.reason = reason;
    }

    static FrameException malformed(String text) {
        return new FrameException(Reason.MALFORMED, text);
    }

    Decoded.Rejected toValue() {
        return new Decoded.Rejected(reason, String.valueOf(getMessage()));
    }
}
