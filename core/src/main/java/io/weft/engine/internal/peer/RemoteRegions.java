package io.weft.engine.internal.peer;

import io.weft.api.MemoryDescriptor;
import io.weft.api.MemoryKind;
import io.weft.engine.internal.concurrent.IntTable;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The regions of one peer that this engine was given descriptors of. Look-ups from any thread, entering under the monitor. */
final class RemoteRegions {
    /** Revoked regions that are remembered, so that later posts fail without touching the wire. */
    private static final int REVOKED_KEPT = 16_384;

    private final int backends;
    private final IntTable<RemoteRegion> byId = new IntTable<>();
    private final ArrayDeque<Integer> revoked = new ArrayDeque<>();

    RemoteRegions(int backends) {
        this.backends = backends;
    }

    /** The kind of memory that a descriptor names; empty for device memory, whose kind it does not tell. */
    static Optional<MemoryKind> kindOf(MemoryDescriptor descriptor) {
        return descriptor.location() == 2 ? Optional.empty() : Optional.of(MemoryKind.HOST);
    }

    RemoteRegion get(MemoryDescriptor descriptor, MemoryKind kind) {
        RemoteRegion known = match(byId.get(descriptor.id()), descriptor);
        return known != null ? known : enter(descriptor, kind);
    }

    private static @Nullable RemoteRegion match(@Nullable RemoteRegion first, MemoryDescriptor descriptor) {
        RemoteRegion each = first;
        while (each != null
                && each.descriptor() != descriptor
                && !each.descriptor().equals(descriptor)) {
            each = each.sibling;
        }
        return each;
    }

    private synchronized RemoteRegion enter(MemoryDescriptor descriptor, MemoryKind kind) {
        RemoteRegion first = byId.get(descriptor.id());
        RemoteRegion known = match(first, descriptor);
        if (known != null) {
            return known;
        }
        RemoteRegion fresh = new RemoteRegion(descriptor, kind, backends);
        fresh.sibling = first;
        if (first != null && first.isRevoked()) {
            fresh.revoke();
        }
        byId.put(descriptor.id(), fresh);
        return fresh;
    }

    /** Marks what has that id; visits each. */
    synchronized void revoke(int id, Consumer<RemoteRegion> visitor) {
        RemoteRegion first = byId.get(id);
        if (first == null) {
            return;
        }
        for (RemoteRegion each = first; each != null; each = each.sibling) {
            each.revoke();
            visitor.accept(each);
        }
        revoked.addLast(id);
        if (revoked.size() > REVOKED_KEPT) {
            byId.remove(revoked.removeFirst());
        }
    }

    void forEach(Consumer<RemoteRegion> visitor) {
        byId.forEach(first -> {
            for (RemoteRegion each = first; each != null; each = each.sibling) {
                visitor.accept(each);
            }
        });
    }
}
