package io.weft.engine.internal;

import io.weft.api.EngineDescriptor;
import io.weft.api.EngineStats;
import io.weft.engine.internal.backend.OpenBackend;
import io.weft.engine.internal.concurrent.Waiting;
import io.weft.engine.internal.peer.EnginePeer;
import io.weft.telemetry.Check;
import io.weft.telemetry.EngineView;
import io.weft.telemetry.PeerView;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Describes an engine for people: peers answer in their turns, those that do not are said not to. Safe from any thread. */
record EngineLook(EngineParts parts) {
    /** A turn is held for microseconds, unless a backend does not come back. */
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(1);

    EngineView view(EngineStats stats, int mostPeers, int mostTransfers) {
        List<EnginePeer> peers = new ArrayList<>(parts.peers().all());
        peers.sort(Comparator.comparingInt(
                        (EnginePeer peer) -> peer.watch().glance().live())
                .reversed()
                .thenComparing(EnginePeer::key));
        List<EnginePeer> chosen = peers.subList(0, Math.min(mostPeers, peers.size()));
        List<CompletableFuture<PeerView>> answers =
                chosen.stream().map(peer -> peer.watch().look(mostTransfers)).toList();
        Waiting.awaitAll(answers, PATIENCE_NANOS);
        List<PeerView> views = new ArrayList<>();
        for (int i = 0; i < chosen.size(); i++) {
            views.add(answers.get(i).getNow(chosen.get(i).watch().glance()));
        }
        EngineDescriptor self = parts.descriptor();
        return new EngineView(
                self.key(),
                self.host() + ":" + self.port(),
                parts.services().backends().stream().map(OpenBackend::name).toList(),
                stats.inFlight(),
                stats.started(),
                stats.failed(),
                stats.registeredBytes(),
                views,
                peers.size() - chosen.size());
    }

    /** Whether the threads that everything needs still do something. */
    List<Check> alive() {
        List<Check> checks = new ArrayList<>();
        String refusal = parts.life().refusal();
        checks.add(new Check("engine", refusal.isEmpty(), refusal.isEmpty() ? "open" : refusal));
        if (refusal.isEmpty()) {
            checks.add(
                    runs("control threads", done -> parts.services().control().execute(() -> done.complete(true))));
            checks.add(runs(
                    "timer thread",
                    done -> parts.services()
                            .timers()
                            .schedule(new Ring(done), parts.services().clock().nanos())));
        }
        return checks;
    }

    private interface Start {
        void with(CompletableFuture<Boolean> done);
    }

    private static final class Ring extends io.weft.engine.internal.time.Timer {
        private final CompletableFuture<Boolean> done;

        Ring(CompletableFuture<Boolean> done) {
            this.done = done;
        }

        @Override
        protected void fire() {
            done.complete(true);
        }
    }

    private static Check runs(String what, Start start) {
        CompletableFuture<Boolean> done = new CompletableFuture<>();
        try {
            start.with(done);
            done.get(PATIENCE_NANOS, TimeUnit.NANOSECONDS);
            return new Check(what, true, "run");
        } catch (RejectedExecutionException | ExecutionException closed) {
            return new Check(what, false, "take no work: " + closed.getMessage());
        } catch (TimeoutException late) {
            return new Check(
                    what,
                    false,
                    "did nothing for " + TimeUnit.NANOSECONDS.toMillis(PATIENCE_NANOS)
                            + " ms; take a thread dump (jcmd PID Thread.print), then restart the process");
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return new Check(what, false, "not waited for: interrupted");
        }
    }
}
