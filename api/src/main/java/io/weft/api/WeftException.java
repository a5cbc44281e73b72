package io.weft.api;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The one exception family: thrown by calls that prepare something (open, register, addPeer, session), never by a
 * transfer call (rule ERR-1).
 *
 * <p>The message names what was tried, on what, what was found and what to do (rule ERR-4); it never holds secrets or
 * whole keys (rule SEC-4).
 *
 * @since 0.1
 */
public class WeftException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** The stable code. */
    private final ErrorCode code;
    /** Native code, 0 when there is none. */
    private final long nativeCode;

    /**
     * Creates an exception.
     *
     * @param code the stable code
     * @param message what was tried, on what, what was found, what to do
     */
    public WeftException(ErrorCode code, String message) {
        this(code, message, 0, null);
    }

    /**
     * Creates an exception with a cause.
     *
     * @param code the stable code
     * @param message what was tried, on what, what was found, what to do
     * @param cause the cause, kept for the stack trace
     */
    public WeftException(ErrorCode code, String message, Throwable cause) {
        this(code, message, 0, cause);
    }

    /**
     * Creates an exception with the code of a native library or the operating system.
     *
     * @param code the stable code
     * @param message what was tried, on what, what was found, what to do
     * @param nativeCode errno, verbs status or provider errno; 0 for none
     * @param cause the cause or null
     */
    @SuppressWarnings("NullAway") // Throwable accepts a null cause and means "none"
    public WeftException(ErrorCode code, String message, long nativeCode, @Nullable Throwable cause) {
        super(message, cause);
        this.code = Objects.requireNonNull(code, "code");
        this.nativeCode = nativeCode;
    }

    /**
     * The stable code.
     *
     * @return the code
     */
    public ErrorCode code() {
        return code;
    }

    /**
     * The native code.
     *
     * @return errno, verbs status or provider errno; 0 for none
     */
    public long nativeCode() {
        return nativeCode;
    }

    /**
     * What was tried, on what, what was found.
     *
     * @return the text, never null: every constructor takes one
     */
    @Override
    public String getMessage() {
        return Objects.requireNonNull(super.getMessage());
    }
}
