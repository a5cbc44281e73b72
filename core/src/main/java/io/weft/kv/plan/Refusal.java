package io.weft.kv.plan;

import io.weft.api.ErrorCode;
import io.weft.api.WeftException;

/** How planners say no. */
final class Refusal {
    private Refusal() {}

    /** The call is wrong by itself. */
    static WeftException invalid(String format, Object... arguments) {
        return new WeftException(ErrorCode.INVALID_ARGUMENT, format.formatted(arguments));
    }

    /** The two layouts do not fit. */
    static WeftException incompatible(String format, Object... arguments) {
        return new WeftException(ErrorCode.INCOMPATIBLE, format.formatted(arguments));
    }
}
