package io.weft.engine.internal;

import io.weft.api.ErrorCode;
import io.weft.api.TransferState;
import io.weft.api.WeftException;
import io.weft.engine.internal.backend.OpenBackend;
import io.weft.engine.internal.concurrent.Waiting;
import io.weft.engine.internal.peer.EnginePeer;
import io.weft.engine.internal.peer.PeerServices;
import io.weft.engine.internal.time.Durations;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Closes an engine from the outside in: transfers, peers, regions, the control plane, backends, threads. Each step is bounded
 * and goes on with the next whatever came of it; what is left is logged.
 */
final class EngineCloser {
    private static final Logger LOG = System.getLogger(EngineCloser.class.getName());
    private static final long THREAD_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final EngineParts parts;
    private final PeerServices services;
    private final long quiesce;

    EngineCloser(EngineParts parts) {
        this.parts = parts;
        this.services = parts.services();
        this.quiesce = services.backends().stream()
                .mapToLong(OpenBackend::quiesceNanos)
                .max()
                .orElse(0);
    }

    void close(Duration timeout) {
        long patience = Durations.nanos(timeout);
        if (!parts.life().beginClosing()) {
            if (!services.callbacks().isInside()) {
                parts.life().awaitClosed(patience + 8 * quiesce + 4 * THREAD_NANOS);
            }
            return;
        }
        // Every step is bounded, and one that an interrupt cut short would leave something behind.
        boolean interrupted = Thread.interrupted();
        try {
            closeAll(patience);
        } finally {
            parts.life().closed();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void closeAll(long patience) {
        List<String> left = new ArrayList<>();
        String text = "engine " + parts.descriptor().key() + " is closing";
        Waiting.await(all(EnginePeer::idle), patience);
        if (!Waiting.await(
                all(peer -> peer.refuse(TransferState.FAILED, ErrorCode.CLOSED, text)), 2 * quiesce + THREAD_NANOS)) {
            left.add("transfers that their backend does not let go");
        }
        // Peers are told that the engine goes, not that each region does, and are cut off before the regions are let
        // go.
        if (!Waiting.await(
                all(peer -> peer.close(TransferState.FAILED, ErrorCode.CLOSED, text)), 3 * quiesce + THREAD_NANOS)) {
            left.add("links that did not close in time");
        }
        CompletableFuture<List<String>> regions = services.regions().deregisterAll(Duration.ZERO, services.control());
        if (Waiting.await(regions, 3 * quiesce + THREAD_NANOS)) {
            left.addAll(regions.join());
        } else {
            left.add("regions that did not come free in time");
        }
        services.plane().close(services.clock().nanos() + THREAD_NANOS + quiesce);
        closeBackends(left);
        endThreads(left);
        left.addAll(parts.devices().close());
        if (!left.isEmpty()) {
            LOG.log(
                    Level.ERROR,
                    "WEFT-LEFT-BEHIND close engine " + parts.descriptor().key() + ": left behind are "
                            + String.join("; ", left));
        }
    }

    private CompletableFuture<Void> all(Function<EnginePeer, CompletableFuture<Void>> end) {
        return CompletableFuture.allOf(parts.peers().all().stream().map(end).toArray(CompletableFuture[]::new));
    }

    private void closeBackends(List<String> left) {
        for (OpenBackend backend : services.backends()) {
            try {
                backend.close(services.clock().nanos() + backend.quiesceNanos() + THREAD_NANOS);
            } catch (WeftException stuck) {
                left.add("backend " + backend.name() + ": " + stuck.getMessage());
            }
        }
    }

    private void endThreads(List<String> left) {
        try {
            services.gates().close(THREAD_NANOS);
            services.copies().close(THREAD_NANOS);
            services.timers().close(THREAD_NANOS);
            services.control().close(THREAD_NANOS);
            awaitCallbacks();
            String threads = parts.threads().awaitEnd(THREAD_NANOS);
            if (!threads.isEmpty()) {
                left.add("threads " + threads);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            left.add("threads that were not awaited, since the closing one was interrupted");
        }
    }

    /** A callback that closes the engine cannot wait for itself, and one that blocks is its owner's affair. */
    private void awaitCallbacks() throws InterruptedException {
        long end = System.nanoTime() + THREAD_NANOS;
        while (!services.callbacks().isInside() && services.callbacks().pending() > 0 && System.nanoTime() - end < 0) {
            TimeUnit.MILLISECONDS.sleep(1);
        }
    }
}
