package io.weft.replay.run;

import io.weft.replay.model.ScaledModel;
import io.weft.replay.pages.Lease;
import io.weft.replay.rank.Fleet;
import io.weft.replay.rank.RankLayout;
import io.weft.replay.rank.RankProcess;
import io.weft.replay.rank.Side;
import io.weft.replay.trace.Trace;
import io.weft.replay.trace.TraceRequest;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Phaser;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Replays a trace: starts the processes, sends each request at its time once both sides have pages for it, breaks what is to
 * be broken, and ends everything.
 *
 * <p>Requests are admitted in order of arrival, so a large one is not overtaken for ever. Used by one thread, once.
 */
public final class Replay {
    /** Requests that are open at once, at most: aux rows and state slots follow. */
    private static final int OPEN_REQUESTS = 32;

    private static final long PROGRESS_NANOS = 500_000_000L;

    private static final long LOOK_NANOS = 1_000_000L;

    private final ReplayOptions options;
    private final ScaledModel model;
    private final Resources prefill;
    private final Resources decode;
    private final Tally tally = new Tally();
    private final Faults faults;
    private final RankLayout prefillLayout;
    private final RankLayout decodeLayout;
    private long startNanos;
    private long rooms;

    /**
     * Prepares a replay.
     *
     * @param options what to do
     * @throws IllegalArgumentException if the largest request does not fit the pools, or the ranks cannot share the model
     */
    public Replay(ReplayOptions options) {
        this.options = options;
        this.model = ScaledModel.of(options.model(), options.scale(), options.prefillPp());
        int pages = poolPages();
        var states = options.model().states();
        this.prefill = new Resources(pages, model.pagesPerBlock(), OPEN_REQUESTS, states);
        this.decode = new Resources(pages, model.pagesPerBlock(), OPEN_REQUESTS, states);
        this.prefillLayout = layout(options.prefillTp(), options.prefillPp(), prefill);
        this.decodeLayout = layout(options.decodeTp(), 1, decode);
        this.faults = new Faults(options, tally);
    }

    private int poolPages() {
        long largest = (long) options.trace().mostBlocks() * model.pagesPerBlock();
        long share = Math.max(1, Math.min(options.decodeTp(), options.prefillTp()));
        long affordable = options.poolBytes() / Math.max(1, model.pageBytes() / share);
        if (affordable < largest) {
            throw new IllegalArgumentException("the largest request needs " + largest + " pages of "
                    + model.pageBytes() + " bytes, and a pool of " + options.poolBytes() + " bytes for each rank holds "
                    + affordable + "; give a smaller --scale or a larger --pool");
        }
        return (int) Math.min(affordable, 16 * largest);
    }

    /**
     * Runs it.
     *
     * @param weft makes the command line of a {@code weft} process from its arguments
     * @param directory for layouts and logs of the processes
     * @param progress gets a line twice a second
     * @return what came out
     */
    public ReplayResult run(Function<List<String>, List<String>> weft, Path directory, Consumer<String> progress) {
        List<String> rankArguments = List.of("--backend", options.backend(), "--memory", options.memory());
        try (Fleet fleet =
                new Fleet(weft, prefillLayout, decodeLayout, options.sharedArguments(), rankArguments, directory)) {
            startNanos = System.nanoTime();
            Killer killer = new Killer(
                    options, fleet, side -> (side == Side.PREFILL ? prefill : decode).cache.invalidate(), this::micros);
            Thread watcher = Thread.ofVirtual().start(() -> watch(progress));
            Map<Long, AtRest> firstRest = Map.of();
            try {
                serve(fleet, killer, options.trace());
                if (options.soak() != null) {
                    firstRest = RankReport.look(fleet, options.prefillTp());
                    for (int round = 1; isOn(); round++) {
                        serve(fleet, killer, options.trace().round(round));
                    }
                }
            } finally {
                watcher.interrupt();
            }
            double seconds = (System.nanoTime() - startNanos) / 1e9;
            List<Outage> outages = killer.outages();
            return ReplayResult.of(
                    options,
                    model,
                    tally,
                    seconds,
                    RankReport.collect(fleet, options.prefillTp(), firstRest, outages.size()),
                    outages);
        }
    }

    private RankLayout layout(int tp, int pp, Resources side) {
        return new RankLayout(model, tp, pp, side.cache.available(), OPEN_REQUESTS);
    }

    private void watch(Consumer<String> progress) {
        while (!Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(PROGRESS_NANOS);
            progress.accept(tally.progress(options.trace().requests().size(), micros() / 1e6));
        }
    }

    /** Whether requests may still be admitted; a replay of one round ends with its trace. */
    private boolean isOn() {
        @Nullable Soak soak = options.soak();
        return soak == null || System.nanoTime() - startNanos < soak.length().toNanos();
    }

    /** Serves one round and waits until all of its requests have ended. */
    private void serve(Fleet fleet, Killer killer, Trace trace) {
        Phaser open = new Phaser(1);
        try {
            serve(fleet, killer, trace, open);
        } finally {
            awaitAll(open);
        }
    }

    private void serve(Fleet fleet, Killer killer, Trace trace, Phaser open) {
        long roundNanos = System.nanoTime();
        for (TraceRequest request : trace.requests()) {
            if (!isOn()) {
                return;
            }
            RequestBuilder record = new RequestBuilder(++rooms);
            record.arrived = awaitArrival(request, roundNanos);
            tally.waiting.incrementAndGet();
            Resources.Held source = take(prefill, request, record);
            Resources.Held target = source == null ? null : take(decode, request, record);
            tally.waiting.decrementAndGet();
            if (source == null || target == null) {
                if (source != null) {
                    giveBack(prefill, source, false, false);
                }
                record.ended = micros();
                tally.add(record.build());
                continue;
            }
            record.admitted = micros();
            open.register();
            // Looked up here, on the thread that replaces ranks: what was leased and what it is leased at belong
            // together.
            List<RankProcess> prefillRanks = fleet.ranks(Side.PREFILL);
            List<RankProcess> decodeRanks = fleet.ranks(Side.DECODE);
            Thread.ofVirtual().name("request-" + record.room).start(() -> {
                try {
                    runOne(prefillRanks, decodeRanks, record, source, target);
                } finally {
                    open.arriveAndDeregister();
                }
            });
            killInMidTransfer(killer, open);
        }
        // Pending kills need the share of ended requests to rise while the last ones run.
        while (open.getRegisteredParties() > 1 && killer.hasPending()) {
            LockSupport.parkNanos(LOOK_NANOS);
            killInMidTransfer(killer, open);
        }
        if (killer.hasPending()) {
            killer.killWhatIsDue(endedPercent());
        }
    }

    /** Kills what is due once pages are on their way, since a kill that nobody notices shows nothing. */
    private void killInMidTransfer(Killer killer, Phaser open) {
        while (killer.isDue(endedPercent()) && open.getRegisteredParties() > 1) {
            if (tally.transferring.get() > 0) {
                killer.killWhatIsDue(endedPercent());
            } else {
                LockSupport.parkNanos(LOOK_NANOS);
            }
        }
    }

    private int endedPercent() {
        return (int) (tally.ended() * 100L / options.trace().requests().size());
    }

    /** Blocks until a request is due; gives when it was due, which is earlier where requests before it had to wait. */
    private long awaitArrival(TraceRequest request, long roundNanos) {
        if (options.speed() == 0) {
            return micros();
        }
        long due = roundNanos + (long) (request.timestampMillis() * 1e6 / options.speed());
        for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
        return (due - startNanos) / 1_000;
    }

    /** Waits for room, since requests are admitted in order; null with a reason if none comes in time. */
    private Resources.@Nullable Held take(Resources side, TraceRequest request, RequestBuilder record) {
        if (!side.canHold(request.blockHashes().length)) {
            record.reason = "RESOURCE_EXHAUSTED: " + request.blockHashes().length
                    + " blocks are more than the pool holds outside quarantine";
            return null;
        }
        long giveUp = System.nanoTime() + TimeUnit.SECONDS.toNanos(4L * options.requestSeconds());
        if (faults.any()) {
            // A page that was broken on purpose must not be found as a prefix by another request.
            side.cache.invalidate();
        }
        while (true) {
            var held = side.tryTake(request.blockHashes());
            if (held.isPresent()) {
                return held.get();
            }
            if (System.nanoTime() > giveUp) {
                record.reason = "RESOURCE_EXHAUSTED: no pages for " + request.blockHashes().length + " blocks within "
                        + 4 * options.requestSeconds() + " s";
                return null;
            }
            try {
                side.cache.awaitReturn(50);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                record.reason = "interrupted";
                return null;
            }
        }
    }

    private void runOne(
            List<RankProcess> prefillRanks,
            List<RankProcess> decodeRanks,
            RequestBuilder record,
            Resources.Held source,
            Resources.Held target) {
        new RequestRun(
                        record,
                        prefillRanks,
                        decodeRanks,
                        source,
                        target,
                        faults,
                        tally,
                        Duration.ofSeconds(options.requestSeconds()),
                        this::micros)
                .run();
        boolean succeeded = record.reason.isEmpty();
        giveBack(prefill, source, succeeded, false);
        giveBack(decode, target, succeeded, !succeeded && !Drain.isDrained(decodeRanks, record.room));
        tally.add(record.build());
    }

    private void giveBack(Resources side, Resources.Held held, boolean succeeded, boolean unsafe) {
        Lease lease = held.lease();
        if (unsafe) {
            side.quarantine(lease);
            return;
        }
        if (succeeded && !faults.any()) {
            side.cache.publish(lease);
        } else {
            side.cache.discard(lease);
        }
        side.giveSlots(held);
    }

    private void awaitAll(Phaser open) {
        int phase = open.arrive();
        try {
            // Each request ends by itself within its own bounds; this one is above their sum.
            open.awaitAdvanceInterruptibly(phase, 10L * options.requestSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (TimeoutException _) {
            tally.add(unended());
        }
    }

    private RequestRecord unended() {
        RequestBuilder record = new RequestBuilder(0);
        record.reason = "INTERNAL: a request did not end within its own bounds";
        return record.build();
    }

    private long micros() {
        return (System.nanoTime() - startNanos) / 1_000;
    }
}
