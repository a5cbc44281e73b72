package io.weft.testkit;

import io.weft.api.MemoryDescriptor;
import io.weft.spi.Backend;
import io.weft.spi.EngineClock;
import io.weft.spi.Link;
import io.weft.spi.LinkEvents;
import io.weft.spi.LocalMemory;
import io.weft.spi.MemorySpec;
import io.weft.spi.Peer;
import io.weft.spi.ProgressSource;
import io.weft.spi.RemoteMemory;
import java.time.Duration;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Checks what passes between core and one open backend. */
final class AssertingBackend extends ForwardingBackend {
    private static final int MOST_BLOB_BYTES = 4096;
    private static final long LONGEST_DEADLINE = Duration.ofHours(1).toNanos();

    private final AssertingProvider report;
    private final EngineClock clock;
    private final PendingOperations pending;
    /** By identity: two imports of one region may give handles that are equal. */
    private final Set<LocalMemory> registered =
            Collections.synchronizedSet(Collections.newSetFromMap(new IdentityHashMap<>()));

    private final Map<RemoteMemory, String> imported = Collections.synchronizedMap(new IdentityHashMap<>());
    private final Set<String> connecting = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    AssertingBackend(AssertingProvider report, Backend delegate, EngineClock clock, PendingOperations pending) {
        super(delegate);
        this.report = report;
        this.clock = clock;
        this.pending = pending;
    }

    /** Every call of core passes here first. */
    void enter(String call) {
        if (closed) {
            report.core(call + " called after close returned");
        }
        HeldLocks.sample().ifPresent(lock -> report.core(call + " called while holding a " + lock));
    }

    void deadline(String call, long deadlineNanos) {
        if (deadlineNanos - clock.nanos() > LONGEST_DEADLINE) {
            report.core(call + " called with a deadline over an hour away: " + (deadlineNanos - clock.nanos()) + " ns");
        }
    }

    boolean isRegistered(LocalMemory memory) {
        return registered.contains(memory);
    }

    boolean isImportedFor(RemoteMemory memory, String peer) {
        return peer.equals(imported.get(memory));
    }

    static String name(Peer peer) {
        return peer.key() + "#" + Long.toHexString(peer.incarnation());
    }

    @Override
    public byte[] localAddress() {
        enter("localAddress");
        return blob("localAddress", super.localAddress());
    }

    private byte[] blob(String call, byte[] bytes) {
        if (bytes.length > MOST_BLOB_BYTES) {
            report.backend(call + " gave " + bytes.length + " bytes, at most " + MOST_BLOB_BYTES + " are carried");
        }
        return bytes;
    }

    @Override
    public LocalMemory register(MemorySpec spec) {
        enter("register");
        boolean declared = capabilities().transfers().stream()
                .anyMatch(t -> t.local().equals(spec.location().kind())
                        || t.remote().equals(spec.location().kind()));
        if (!declared) {
            report.core("register of kind " + spec.location() + ", which the backend does not declare");
        }
        if (spec.length() < 1 || Long.compareUnsigned(spec.address() + spec.length() - 1, spec.address()) < 0) {
            report.core("register of " + spec.length() + " bytes at " + Long.toHexString(spec.address()));
        }
        LocalMemory memory = super.register(spec);
        registered.add(memory);
        return memory;
    }

    @Override
    public boolean deregister(LocalMemory memory, long deadlineNanos) {
        enter("deregister");
        deadline("deregister", deadlineNanos);
        if (!registered.contains(memory)) {
            report.core("deregister of a handle that is not registered");
        }
        if (pending.uses(memory)) {
            report.core("deregister while operations on the region are in flight");
        }
        boolean free = super.deregister(memory, deadlineNanos);
        if (free) {
            registered.remove(memory);
        }
        return free;
    }

    @Override
    public byte[] exportKey(Peer peer, LocalMemory memory) {
        enter("exportKey");
        if (!registered.contains(memory)) {
            report.core("exportKey of a handle that is not registered");
        }
        return blob("exportKey", super.exportKey(peer, memory));
    }

    @Override
    public RemoteMemory importKey(Peer peer, MemoryDescriptor descriptor, byte[] key) {
        enter("importKey");
        RemoteMemory memory = super.importKey(peer, descriptor, key);
        if (!memory.descriptor().equals(descriptor)) {
            report.backend("importKey gave a handle of " + memory.descriptor() + " for " + descriptor);
        }
        imported.put(memory, name(peer));
        return memory;
    }

    @Override
    public void releaseKey(RemoteMemory memory) {
        enter("releaseKey");
        if (imported.remove(memory) == null) {
            report.core("releaseKey of a handle that is not imported");
        }
        if (pending.uses(memory)) {
            report.core("releaseKey while operations with the handle are in flight");
        }
        super.releaseKey(memory);
    }

    @Override
    public Link connect(Peer peer, LinkEvents events, long deadlineNanos) {
        enter("connect");
        deadline("connect", deadlineNanos);
        String name = name(peer);
        if (!connecting.add(name)) {
            report.core("connect to " + name + " while another connect to it goes on");
        }
        try {
            return new AssertingLink(report, this, super.connect(peer, events, deadlineNanos), name, pending);
        } finally {
            connecting.remove(name);
        }
    }

    @Override
    public boolean fencePeer(Peer peer, long deadlineNanos) {
        enter("fencePeer");
        deadline("fencePeer", deadlineNanos);
        return super.fencePeer(peer, deadlineNanos);
    }

    @Override
    public List<ProgressSource> progressSources() {
        return super.progressSources().stream()
                .<ProgressSource>map(source -> new AssertingSource(report, source))
                .toList();
    }

    @Override
    public void close(long deadlineNanos) {
        deadline("close", deadlineNanos);
        super.close(deadlineNanos);
        if (!closed) {
            closed = true;
            pending.close();
        }
    }
}
