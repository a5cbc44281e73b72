package io.weft.api;

import java.util.Objects;

/**
 * A local region and a peer's region between which segments move.
 *
 * <p>Immutable; safe from any thread.
 *
 * @param local a region of this engine
 * @param remote a region of a peer (or of this engine: transfers to self work, rule PEER-6)
 * @since 0.1
 */
public record RegionPair(Region local, MemoryDescriptor remote) {
    /** Checks for null only; everything else is the transfer call's to report. */
    public RegionPair {
        Objects.requireNonNull(local, "local");
        Objects.requireNonNull(remote, "remote");
    }
}
