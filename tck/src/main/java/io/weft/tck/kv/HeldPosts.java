package io.weft.tck.kv;

import io.weft.api.ErrorCode;
import io.weft.spi.Backend;
import io.weft.spi.BackendContext;
import io.weft.spi.BackendProvider;
import io.weft.spi.CompletionSink;
import io.weft.spi.Link;
import io.weft.spi.LinkEvents;
import io.weft.spi.Operation;
import io.weft.spi.Peer;
import io.weft.testkit.CopiedOperation;
import io.weft.testkit.ForwardingBackend;
import io.weft.testkit.ForwardingLink;
import io.weft.testkit.ForwardingProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A backend whose fabric is slow: it takes every operation, and carries it out when it is told to, unless its link was fenced
 * before. Safe from any thread.
 */
public final class HeldPosts extends ForwardingProvider {
    private final List<HoldingLink> links = new CopyOnWriteArrayList<>();

    /**
     * Wraps a provider.
     *
     * @param sound carries out what is let go
     */
    public HeldPosts(BackendProvider sound) {
        super(sound);
    }

    /**
     * How many operations wait.
     *
     * @return over all links
     */
    public int count() {
        return links.stream().mapToInt(HoldingLink::count).sum();
    }

    /** Carries out what waits, and holds nothing more. */
    public void letGo() {
        links.forEach(HoldingLink::letGo);
    }

    @Override
    public Backend open(BackendContext context) {
        return new ForwardingBackend(super.open(context)) {
            @Override
            public Link connect(Peer peer, LinkEvents events, long deadlineNanos) {
                HoldingLink link = new HoldingLink(super.connect(peer, events, deadlineNanos), context.completions());
                links.add(link);
                return link;
            }
        };
    }

    private static final class HoldingLink extends ForwardingLink {
        private final CompletionSink completions;
        private final List<CopiedOperation> held = new ArrayList<>();
        private boolean holds = true;

        HoldingLink(Link sound, CompletionSink completions) {
            super(sound);
            this.completions = completions;
        }

        synchronized int count() {
            return held.size();
        }

        @Override
        public int post(Operation operation) {
            synchronized (this) {
                if (holds) {
                    held.add(new CopiedOperation(operation));
                    return ACCEPTED;
                }
            }
            return super.post(operation);
        }

        void letGo() {
            for (CopiedOperation operation : take()) {
                int code = super.post(operation);
                if (code != ACCEPTED) {
                    completions.complete(operation.token(), code > 0 ? code : ErrorCode.CANCELLED.number(), 0);
                }
            }
        }

        private synchronized List<CopiedOperation> take() {
            holds = false;
            List<CopiedOperation> all = List.copyOf(held);
            held.clear();
            return all;
        }

        @Override
        public boolean fence(long deadlineNanos) {
            drop();
            return super.fence(deadlineNanos);
        }

        @Override
        public void close() {
            drop();
            super.close();
        }

        private void drop() {
            take().forEach(held -> completions.complete(held.token(), ErrorCode.CANCELLED.number(), 0));
        }
    }
}
