package io.weft.backend.tcp;

import io.weft.api.ErrorCode;

/**
 * Why a target refuses an access. The ordinal travels as native code between Weft engines, so the order is frozen; the MORI
 * code is what a v3 target answers in the same case.
 */
enum Refusal {
    NONE(0, ErrorCode.INTERNAL, "not refused"),
    UNKNOWN_REGION(12, ErrorCode.REMOTE_ACCESS, "the target knows no region of that id; fetch its descriptor anew"),
    OUT_OF_BOUNDS(11, ErrorCode.REMOTE_ACCESS, "a segment lies outside the target's region"),
    NO_RIGHT(12, ErrorCode.REMOTE_ACCESS, "the target's region was registered without the right for this access"),
    DEREGISTERED(12, ErrorCode.REMOTE_ACCESS, "the target deregistered the region while the access was under way"),
    BUSY(14, ErrorCode.RESOURCE_EXHAUSTED, "the target has as many operations in flight as it allows; retry later");

    private static final Refusal[] ALL = values();

    private final int moriCode;
    private final ErrorCode code;
    private final String text;

    Refusal(int moriCode, ErrorCode code, String text) {
        this.moriCode = moriCode;
        this.code = code;
        this.text = text;
    }

    int moriCode() {
        return moriCode;
    }

    ErrorCode code() {
        return code;
    }

    String text() {
        return text;
    }

    static Refusal of(int ordinal) {
        return ordinal > 0 && ordinal < ALL.length ? ALL[ordinal] : NONE;
    }
}
