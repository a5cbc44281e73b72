package io.weft.api;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * Memory registered with an engine. Implemented by Weft only.
 *
 * <p>Threading: all methods are safe from any thread. Ownership: memory that {@link TransferEngine#allocate} made lives
 * until deregistered (rule REG-10); memory passed to {@code register} stays the caller's, who keeps it alive until
 * {@link #deregister} returned.
 *
 * @since 0.1
 */
public interface Region extends AutoCloseable {
    /**
     * What peers need to name this region.
     *
     * @return the descriptor (rule REG-1)
     */
    MemoryDescriptor descriptor();

    /**
     * Where the memory is.
     *
     * @return the location
     */
    MemoryLocation location();

    /**
     * First address.
     *
     * @return address in this process (host) or on the device
     */
    long address();

    /**
     * Length.
     *
     * @return bytes, at least 1
     */
    long length();

    /**
     * The rights given at registration.
     *
     * @return an unmodifiable set
     */
    Set<Access> access();

    /**
     * The memory as a segment.
     *
     * @return the segment for host memory; empty for device memory, which the CPU must not touch (rule DEV-4)
     */
    Optional<MemorySegment> segment();

    /**
     * Whether the region can still be used in transfers.
     *
     * @return false from the start of {@link #deregister} on
     */
    boolean isRegistered();

    /**
     * Takes the region back. New transfers that name it fail at once; those in flight are waited for up to the timeout,
     * then cancelled, then fenced (rule REG-5). When it returns, no peer can reach the memory through the descriptor
     * (rule REG-4). Idempotent; blocks at most the timeout plus the backends' declared quiesce times.
     *
     * @param timeout how long transfers in flight may go on; zero cancels them at once
     * @throws WeftException with {@link ErrorCode#INTERNAL} if a backend could not confirm that it let go; the memory
     *     must then not be freed, and the text says which backend holds it
     */
    void deregister(Duration timeout);

    /** {@link #deregister} with the engine's configured timeout. */
    @Override
    void close();
}
