package io.weft.engine;

import io.weft.api.ErrorCode;
import io.weft.api.MemoryDescriptor;
import io.weft.spi.Backend;
import io.weft.spi.BackendContext;
import io.weft.spi.CompletionSink;
import io.weft.spi.Link;
import io.weft.spi.LinkEvents;
import io.weft.spi.Operation;
import io.weft.spi.Peer;
import io.weft.spi.RemoteMemory;
import io.weft.testkit.CopiedOperation;
import io.weft.testkit.ForwardingBackend;
import io.weft.testkit.ForwardingLink;
import io.weft.testkit.ForwardingProvider;
import io.weft.testkit.mem.MemProvider;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** The reference backend, but a test decides when operations reach it and how they end, and when keys are imported. */
final class HeldProvider extends ForwardingProvider {
    /** An operation that was accepted and is not carried out yet. */
    record Held(CopiedOperation operation, Link link, CompletionSink sink) {
        /** Carries it out. */
        void succeed() {
            link.post(operation);
        }

        void fail(ErrorCode code) {
            sink.complete(operation.token(), code.number(), 0);
        }
    }

    final List<Held> held = new CopyOnWriteArrayList<>();
    final AtomicInteger imports = new AtomicInteger();
    volatile boolean holding;
    volatile CountDownLatch importGate = new CountDownLatch(0);

    HeldProvider() {
        super(new MemProvider());
    }

    @Override
    public Backend open(BackendContext context) {
        return new HeldBackend(super.open(context), context.completions());
    }

    private final class HeldBackend extends ForwardingBackend {
        private final CompletionSink sink;

        HeldBackend(Backend delegate, CompletionSink sink) {
            super(delegate);
            this.sink = sink;
        }

        @Override
        public RemoteMemory importKey(Peer peer, MemoryDescriptor descriptor, byte[] key) {
            imports.incrementAndGet();
            try {
                if (!importGate.await(20, TimeUnit.SECONDS)) {
                    throw new IllegalStateException("the test did not open the gate");
                }
            } catch (InterruptedException stopped) {
                throw new IllegalStateException(stopped);
            }
            return super.importKey(peer, descriptor, key);
        }

        @Override
        public Link connect(Peer peer, LinkEvents events, long deadlineNanos) {
            return new HeldLink(super.connect(peer, events, deadlineNanos), sink);
        }
    }

    private final class HeldLink extends ForwardingLink {
        private final Link delegate;
        private final CompletionSink sink;

        HeldLink(Link delegate, CompletionSink sink) {
            super(delegate);
            this.delegate = delegate;
            this.sink = sink;
        }

        @Override
        public int post(Operation operation) {
            if (!holding) {
                return super.post(operation);
            }
            held.add(new Held(new CopiedOperation(operation), delegate, sink));
            return ACCEPTED;
        }
    }
}
