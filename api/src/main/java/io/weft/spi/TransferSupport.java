package io.weft.spi;

import io.weft.api.MemoryKind;
import java.util.Objects;

/**
 * One thing a backend does directly: an operation between two kinds of memory.
 *
 * <p>Immutable; safe from any thread.
 *
 * @param kind the operation
 * @param local kind of the local memory
 * @param remote kind of the remote memory
 * @param visibility when the receiving side sees the bytes
 * @since 0.1
 */
public record TransferSupport(OperationKind kind, MemoryKind local, MemoryKind remote, Visibility visibility) {
    /** Checks for null. */
    public TransferSupport {
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(local, "local");
        Objects.requireNonNull(remote, "remote");
        Objects.requireNonNull(visibility, "visibility");
    }
}
