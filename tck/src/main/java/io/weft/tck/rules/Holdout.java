package io.weft.tck.rules;

import io.weft.api.ErrorCode;
import io.weft.api.MemoryDescriptor;
import io.weft.api.WeftException;
import io.weft.spi.Backend;
import io.weft.spi.BackendContext;
import io.weft.spi.BackendProvider;
import io.weft.spi.CompletionSink;
import io.weft.spi.Link;
import io.weft.spi.LinkEvents;
import io.weft.spi.LocalMemory;
import io.weft.spi.Operation;
import io.weft.spi.OperationKind;
import io.weft.spi.Peer;
import io.weft.spi.RemoteMemory;
import io.weft.tck.harness.Rig;
import io.weft.testkit.ContextWithSink;
import io.weft.testkit.CopiedOperation;
import io.weft.testkit.ForwardingBackend;
import io.weft.testkit.ForwardingLink;
import io.weft.testkit.ForwardingProvider;
import java.time.Duration;
import java.util.Arrays;
import java.util.Deque;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The initiator's backend in an engine that is not to be trusted, or that slept and does not know what it has lost: it keeps the
 * links and keys that core has given back, and posts over them by itself. What then keeps it out can only be the target.
 *
 * <p>One peer at a time. {@link #post} is called by the test's thread while no transfer is in flight.
 */
final class Holdout extends ForwardingProvider {
    /** Far from what core counts up from zero. */
    private static final long FIRST_TOKEN = 0x7ffe_0000_0000_0001L;

    private final Duration patience;
    private final Map<Long, CompletableFuture<Integer>> ends = new ConcurrentHashMap<>();
    private final Deque<Runnable> owed = new ConcurrentLinkedDeque<>();
    private volatile boolean holds = true;
    private volatile @Nullable Backend backend;
    private volatile @Nullable Used last;
    private volatile @Nullable Key lastKey;
    private long nextToken = FIRST_TOKEN;

    /** What the last transfer went over. */
    private record Used(Link link, LocalMemory local, RemoteMemory remote) {}

    /** What the last key was made of. */
    @SuppressWarnings("ArrayRecordComponent") // carried, never compared
    private record Key(Peer peer, byte[] bytes) {}

    private Holdout(BackendProvider sound, Duration patience) {
        super(sound);
        this.patience = patience;
    }

    /** Makes a rig's initiator one of these, before it is opened. */
    static Holdout of(Rig rig) {
        Holdout holdout =
                new Holdout(rig.run().subject().provider(), rig.clocks().mustNotHappen());
        rig.setup().decorate(sound -> holdout);
        return holdout;
    }

    /**
     * Posts by itself, between the regions of the last transfer, and waits a little for the end.
     *
     * @return how it ended, for texts
     */
    String post(OperationKind kind, long offset, long length) throws InterruptedException {
        Used used = used();
        return post(kind, used, used.remote, offset, length);
    }

    /**
     * Posts by itself with the key of the last region, but another region's descriptor.
     *
     * @return how it ended, for texts
     */
    String post(OperationKind kind, MemoryDescriptor claimed, long offset, long length) throws InterruptedException {
        Key key = lastKey;
        Backend own = backend;
        if (key == null || own == null) {
            throw new IllegalStateException("no key was imported yet");
        }
        RemoteMemory forged;
        try {
            forged = own.importKey(key.peer, claimed, key.bytes.clone());
        } catch (WeftException refused) {
            return "refused at import with " + refused.code();
        }
        owed.add(() -> own.releaseKey(forged));
        return post(kind, used(), forged, offset, length);
    }

    private Used used() {
        Used used = last;
        if (used == null) {
            throw new IllegalStateException("nothing was transferred yet");
        }
        return used;
    }

    private String post(OperationKind kind, Used used, RemoteMemory remote, long offset, long length)
            throws InterruptedException {
        long token = nextToken++;
        CompletableFuture<Integer> end = new CompletableFuture<>();
        ends.put(token, end);
        int taken =
                used.link.post(new CopiedOperation(token, kind, used.local, remote, new long[] {0, offset, length}));
        if (taken != Link.ACCEPTED) {
            return taken == Link.WOULD_BLOCK ? "not taken" : "refused at post with " + named(taken);
        }
        try {
            int code = end.get(patience.toMillis(), TimeUnit.MILLISECONDS);
            return code == 0 ? "a success" : "failed with " + named(code);
        } catch (TimeoutException open) {
            return "without an end";
        } catch (ExecutionException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static String named(int code) {
        return ErrorCode.ofNumber(code).name();
    }

    /** Gives back what it kept, and from now on what core gives back. */
    void letGo() {
        holds = false;
        for (Runnable next = owed.poll(); next != null; next = owed.poll()) {
            next.run();
        }
    }

    private void later(Runnable giveBack) {
        if (holds) {
            owed.add(giveBack);
        } else {
            giveBack.run();
        }
    }

    @Override
    public Backend open(BackendContext context) {
        Backend sound = super.open(new ContextWithSink(context, new Detour(context.completions())));
        backend = sound;
        return new ForwardingBackend(sound) {
            @Override
            public RemoteMemory importKey(Peer peer, MemoryDescriptor descriptor, byte[] key) {
                lastKey = new Key(peer, key.clone());
                return super.importKey(peer, descriptor, key);
            }

            @Override
            public void releaseKey(RemoteMemory memory) {
                later(() -> super.releaseKey(memory));
            }

            @Override
            public Link connect(Peer peer, LinkEvents events, long deadlineNanos) {
                return new Kept(super.connect(peer, events, deadlineNanos));
            }

            @Override
            public void close(long deadlineNanos) {
                letGo();
                super.close(deadlineNanos);
            }
        };
    }

    private final class Kept extends ForwardingLink {
        private final Link sound;

        Kept(Link sound) {
            super(sound);
            this.sound = sound;
        }

        @Override
        public int post(Operation operation) {
            if (operation.runCount() > 0) {
                last = new Used(sound, operation.local(0), operation.remote(0));
            }
            return super.post(operation);
        }

        @Override
        public boolean fence(long deadlineNanos) {
            return holds || super.fence(deadlineNanos);
        }

        @Override
        public void close() {
            later(super::close);
        }
    }

    /** Keeps its own ends from core, which knows nothing of them. */
    private final class Detour implements CompletionSink {
        private final CompletionSink core;

        Detour(CompletionSink core) {
            this.core = core;
        }

        @Override
        public void complete(long[] tokens, int[] codes, long[] nativeCodes, int count) {
            if (Arrays.stream(tokens, 0, count).noneMatch(ends::containsKey)) {
                core.complete(tokens, codes, nativeCodes, count);
                return;
            }
            for (int i = 0; i < count; i++) {
                complete(tokens[i], codes[i], nativeCodes[i]);
            }
        }

        @Override
        public void complete(long token, int code, long nativeCode) {
            CompletableFuture<Integer> own = ends.get(token);
            if (own == null) {
                core.complete(token, code, nativeCode);
            } else {
                own.complete(code);
            }
        }
    }
}
