package io.weft.api;

/**
 * The one table of failure codes (rule ERR-2). Numbers, names, retry classes and MORI codes are frozen.
 *
 * <p>Later releases may append codes, so a {@code switch} over this type needs a {@code default}. The number {@code 0}
 * means success wherever a code travels as an integer. Native codes and texts (errno, verbs status, provider errno)
 * are attributes of a failure, never codes of their own.
 *
 * <p>Immutable; safe from any thread.
 *
 * @since 0.1
 */
public enum ErrorCode {
    /** An argument is wrong by itself: negative, overflowing, overlapping, of different length, outside a region. */
    INVALID_ARGUMENT(1, RetryClass.NEVER, 11),
    /** The chosen backend, peer or memory kind does not do this. */
    UNSUPPORTED(2, RetryClass.OTHER_PATH, 14),
    /** The local region or the peer named is not known to this engine. */
    NOT_REGISTERED(3, RetryClass.REFRESH_DESCRIPTOR, 12),
    /** The descriptor belongs to an earlier incarnation of the peer. */
    STALE_DESCRIPTOR(4, RetryClass.REFRESH_DESCRIPTOR, 12),
    /** Bytes could not be read as a descriptor. */
    DECODE_ERROR(5, RetryClass.NEVER, 11),
    /** No connection to the peer could be made in time. */
    UNREACHABLE(6, RetryClass.LATER, 14),
    /** The peer was there and is gone. */
    PEER_LOST(7, RetryClass.RECONNECT, 14),
    /** The transfer's deadline passed. */
    DEADLINE_EXCEEDED(8, RetryClass.LATER, 14),
    /** The caller cancelled the transfer. */
    CANCELLED(9, RetryClass.LATER, 14),
    /** The target refused the access: region gone, bounds or rights. */
    REMOTE_ACCESS(10, RetryClass.REFRESH_DESCRIPTOR, 12),
    /** A queue, pool or limit is full. */
    RESOURCE_EXHAUSTED(11, RetryClass.LATER, 14),
    /** The operating system or the device forbids it. */
    PERMISSION(12, RetryClass.NEVER, 14),
    /** The peer did not prove that it knows the shared secret. */
    AUTHENTICATION(13, RetryClass.NEVER, 14),
    /** Versions, SPI levels or layouts do not fit each other. */
    INCOMPATIBLE(14, RetryClass.NEVER, 14),
    /** The peer broke the wire protocol. */
    PROTOCOL(15, RetryClass.RECONNECT, 14),
    /** The fabric reported an error; the native code says which. */
    FABRIC(16, RetryClass.RECONNECT, 13),
    /** A device (GPU) operation failed. */
    DEVICE(17, RetryClass.OTHER_PATH, 15),
    /** The engine, backend or region is closed. */
    CLOSED(18, RetryClass.NEVER, 14),
    /** A defect in Weft or a backend; the text names which. */
    INTERNAL(19, RetryClass.OTHER_PATH, 14);

    private static final ErrorCode[] BY_NUMBER = values();

    private final int number;
    private final RetryClass retry;
    private final int moriCode;

    ErrorCode(int number, RetryClass retry, int moriCode) {
        this.number = number;
        this.retry = retry;
        this.moriCode = moriCode;
    }

    /**
     * The frozen number of this code, from 1.
     *
     * @return a positive number
     */
    public int number() {
        return number;
    }

    /**
     * What a caller may do about it.
     *
     * @return the retry class
     */
    public RetryClass retry() {
        return retry;
    }

    /**
     * The status code that a MORI-IO peer understands.
     *
     * @return a MORI-IO {@code StatusCode} value from 11 to 15
     */
    public int moriCode() {
        return moriCode;
    }

    /**
     * Finds a code by its number. Allocates nothing.
     *
     * @param number a number as carried in completion arrays
     * @return the code; {@link #INTERNAL} for a number outside the table, so that a misbehaving backend is seen
     */
    public static ErrorCode ofNumber(int number) {
        return number >= 1 && number <= BY_NUMBER.length ? BY_NUMBER[number - 1] : INTERNAL;
    }
}
