package io.weft.spi;

/**
 * Direction of an operation, seen from the initiator.
 *
 * @since 0.1
 */
public enum OperationKind {
    /** Local memory to remote memory. */
    WRITE,
    /** Remote memory to local memory. */
    READ
}
