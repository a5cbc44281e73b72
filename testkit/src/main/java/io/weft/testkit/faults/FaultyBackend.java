package io.weft.testkit.faults;

import io.weft.spi.Backend;
import io.weft.spi.BackendContext;
import io.weft.spi.CompletionSink;
import io.weft.spi.Link;
import io.weft.spi.LinkEvents;
import io.weft.spi.Peer;
import io.weft.testkit.ContextWithSink;
import io.weft.testkit.ForwardingBackend;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One open backend with faults: hands each completion to the link whose operation it ends. */
final class FaultyBackend extends ForwardingBackend {
    /** Delivers completions of operations to their links, which decide what becomes of them. */
    static final class Router implements CompletionSink {
        final Map<Long, FaultyLink> linkOfToken = new ConcurrentHashMap<>();
        private final CompletionSink core;

        Router(CompletionSink core) {
            this.core = core;
        }

        @Override
        public void complete(long[] tokens, int[] codes, long[] nativeCodes, int count) {
            for (int i = 0; i < count; i++) {
                complete(tokens[i], codes[i], nativeCodes[i]);
            }
        }

        @Override
        public void complete(long token, int code, long nativeCode) {
            FaultyLink link = linkOfToken.remove(token);
            if (link == null) {
                core.complete(token, code, nativeCode);
            } else {
                link.completed(token, code, nativeCode);
            }
        }
    }

    final FaultyProvider faults;
    final CompletionSink core;
    final Router router;
    final BackendContext context;
    private final ScheduledThreadPoolExecutor timer;

    private FaultyBackend(FaultyProvider faults, BackendContext context, Router router, Backend delegate) {
        super(delegate);
        this.faults = faults;
        this.context = context;
        this.core = context.completions();
        this.router = router;
        this.timer = new ScheduledThreadPoolExecutor(1, context.threads());
        timer.setRemoveOnCancelPolicy(true);
        timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    static FaultyBackend open(
            FaultyProvider faults, BackendContext context, Function<BackendContext, Backend> delegate) {
        Router router = new Router(context.completions());
        return new FaultyBackend(faults, context, router, delegate.apply(new ContextWithSink(context, router)));
    }

    /** Runs a task a little later; after close it never runs, since fences have ended what it was for. */
    void later(Runnable task) {
        if (!timer.isShutdown()) {
            timer.schedule(task, faults.rollDelayNanos(), TimeUnit.NANOSECONDS);
        }
    }

    @Override
    public Link connect(Peer peer, LinkEvents events, long deadlineNanos) {
        FaultyLink link = new FaultyLink(this, events);
        link.attach(super.connect(peer, link, deadlineNanos));
        return link;
    }

    @Override
    public void close(long deadlineNanos) {
        super.close(deadlineNanos);
        timer.shutdownNow();
        @Nullable InterruptedException interrupted = null;
        try {
            timer.awaitTermination(Math.max(0, deadlineNanos - context.clock().nanos()), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            interrupted = e;
        }
        if (interrupted != null) {
            Thread.currentThread().interrupt();
        }
    }
}
