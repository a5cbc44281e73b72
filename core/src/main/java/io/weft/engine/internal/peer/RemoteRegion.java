package io.weft.engine.internal.peer;

import io.weft.api.Access;
import io.weft.api.MemoryDescriptor;
import io.weft.api.MemoryKind;
import io.weft.engine.internal.memory.ExportedKey;
import io.weft.spi.OperationKind;
import io.weft.spi.RemoteMemory;
import org.jspecify.annotations.Nullable;

/**
 * A peer's region as its descriptor names it, with the keys fetched for it. The descriptor is final; all else is in the
 * peer's turn.
 */
public final class RemoteRegion {
    /** Device memory whose kind its descriptor does not tell. */
    public static final MemoryKind DEVICE = new MemoryKind("device");

    /** Whether a region can be used over a backend. */
    enum Readiness {
        READY,
        NEEDS_KEY,
        FETCHING
    }

    private final MemoryDescriptor descriptor;
    private final MemoryKind kind;
    private final int space;
    private final @Nullable RemoteMemory[] memories;
    private final boolean[] fetching;
    /** Waits for a key of this region, over whichever backend. */
    final TransferList waiting = new TransferList("the key of a remote region");

    /** Another descriptor with the same id. */
    @Nullable
    RemoteRegion sibling;

    private @Nullable ExportedKey exported;
    private volatile boolean revoked;

    /**
     * The kind that a descriptor tells. Weft engines name it in place of the device's bus id; MORI-IO's tell only that it is on a
     * device.
     *
     * @param descriptor what names the region
     * @return the kind, {@link #DEVICE} if it is not told
     */
    public static MemoryKind kindOf(MemoryDescriptor descriptor) {
        if (descriptor.location() != 2) {
            return MemoryKind.HOST;
        }
        String told = descriptor.deviceBusId();
        return MemoryKind.isId(told) && !told.equals(MemoryKind.HOST.id()) ? new MemoryKind(told) : DEVICE;
    }

    RemoteRegion(MemoryDescriptor descriptor, MemoryKind kind, int backends) {
        this.descriptor = descriptor;
        this.kind = kind;
        // A descriptor made by hand may say address 0 for every region: that tells nothing of where it lies.
        this.space = descriptor.address() == 0
                ? Integer.MIN_VALUE ^ descriptor.id()
                : descriptor.location() * 31 + descriptor.deviceId();
        this.memories = new RemoteMemory[backends];
        this.fetching = new boolean[backends];
    }

    /**
     * What names it.
     *
     * @return the descriptor
     */
    public MemoryDescriptor descriptor() {
        return descriptor;
    }

    /**
     * Its memory kind.
     *
     * @return the kind
     */
    public MemoryKind kind() {
        return kind;
    }

    /** Equal for descriptors whose addresses can be compared. */
    int space() {
        return space;
    }

    /**
     * Whether its owner took it back (rule REG-4).
     *
     * @return true from the revocation on
     */
    public boolean isRevoked() {
        return revoked;
    }

    void revoke() {
        revoked = true;
    }

    Readiness readiness(int backend) {
        return memories[backend] != null
                ? Readiness.READY
                : fetching[backend] ? Readiness.FETCHING : Readiness.NEEDS_KEY;
    }

    void fetchBegins(int backend) {
        fetching[backend] = true;
    }

    void fetched(int backend, RemoteMemory memory, @Nullable ExportedKey truth) {
        fetching[backend] = false;
        memories[backend] = memory;
        exported = truth;
    }

    void fetchFailed(int backend) {
        fetching[backend] = false;
    }

    RemoteMemory memory(int backend) {
        RemoteMemory memory = memories[backend];
        if (memory == null) {
            throw new IllegalStateException("posted to " + descriptor + " without its key");
        }
        return memory;
    }

    /** Forgets a key that is dead; the handle is the caller's to release. */
    @Nullable
    RemoteMemory takeKey(int backend) {
        RemoteMemory old = memories[backend];
        memories[backend] = null;
        return old;
    }

    /** Why the region's owner would refuse, empty if it would not. Plain peers tell nothing. */
    String refusal(OperationKind operation) {
        ExportedKey truth = exported;
        if (truth == null) {
            return "";
        }
        if (truth.address() != descriptor.address() || truth.length() != descriptor.length()) {
            return "its owner has " + truth.length() + " bytes at another place under this id, so the descriptor was"
                    + " altered or is of another engine";
        }
        Access right = operation == OperationKind.WRITE ? Access.REMOTE_WRITE : Access.REMOTE_READ;
        return truth.access().contains(right) ? "" : "it was registered without the right " + right;
    }
}
