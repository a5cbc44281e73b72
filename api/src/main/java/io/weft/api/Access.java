package io.weft.api;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/**
 * A right on a region (rule REG-9). Rights are given at registration and enforced for the region's whole life.
 *
 * <p>Immutable; safe from any thread.
 *
 * @since 0.1
 */
public enum Access {
    /** This engine may send from the region (local side of a write). */
    LOCAL_READ,
    /** This engine may receive into the region (local side of a read). */
    LOCAL_WRITE,
    /** Peers may read the region. */
    REMOTE_READ,
    /** Peers may write the region. */
    REMOTE_WRITE;

    /** All four rights. */
    public static final Set<Access> ALL = Collections.unmodifiableSet(EnumSet.allOf(Access.class));
    /** What a read-only source needs: {@link #LOCAL_READ} and {@link #REMOTE_READ}. */
    public static final Set<Access> READ_ONLY = Collections.unmodifiableSet(EnumSet.of(LOCAL_READ, REMOTE_READ));
}
