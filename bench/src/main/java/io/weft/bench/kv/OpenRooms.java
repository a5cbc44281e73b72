package io.weft.bench.kv;

import io.weft.api.SharedSegments;
import io.weft.api.Transfer;
import io.weft.api.TransferEngine;
import io.weft.api.TransferOptions;
import io.weft.bootstrap.BootstrapClient;
import io.weft.bootstrap.BootstrapServer;
import io.weft.bootstrap.BootstrapSettings;
import io.weft.kv.DecodeManager;
import io.weft.kv.KvChunk;
import io.weft.kv.KvPoll;
import io.weft.kv.KvReceiver;
import io.weft.kv.KvSender;
import io.weft.kv.PrefillManager;
import io.weft.testkit.engine.ForwardingEngine;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/**
 * A prefill and a decode rank over tcp in one process with many open rooms, whose metadata is there and whose pages are not, while
 * others arrive at a fixed rate, 64 KiB each, and run to their end. Printed are the time from a room's {@code sendMetadata} at decode
 * to its first {@code writeMulti} at prefill, to its success at decode, and the heap after a collection before, with the open rooms
 * and after the arrivals. Arguments: open rooms, arrivals per second, seconds.
 */
public final class OpenRooms {
    private static final int PAGES_PER_ROOM = 4;
    private static final int SLOTS = 4_096;
    private static final long PATIENCE = Duration.ofSeconds(60).toNanos();
    private static final int SOURCE_PAGES = 1_024;

    private final PrefillManager prefill;
    private final DecodeManager decode;
    private final String registry;
    private final Timed timed;
    private final int openRooms;
    private final Deque<Arrival> running = new ArrayDeque<>();
    private final Histogram toSuccess = new Histogram(3);
    private int ended;
    private int failed;
    private int skipped;

    private OpenRooms(PrefillManager prefill, DecodeManager decode, String registry, Timed timed, int openRooms) {
        this.prefill = prefill;
        this.decode = decode;
        this.registry = registry;
        this.timed = timed;
        this.openRooms = openRooms;
    }

    private record Arrival(int slot, long begun, KvSender sender, KvReceiver receiver) {}

    /** Notes when the first write of a slot is handed over. */
    private static final class Timed extends ForwardingEngine {
        private final long itemLen;
        private final int firstPage;
        final AtomicLongArray begun = new AtomicLongArray(SLOTS);
        final Histogram toFirstWrite = new Histogram(3);

        Timed(TransferEngine engine, long itemLen, int firstPage) {
            super(engine);
            this.itemLen = itemLen;
            this.firstPage = firstPage;
        }

        @Override
        public Transfer writeMulti(List<SharedSegments> parts, TransferOptions options) {
            SharedSegments part = parts.getFirst();
            if (part.segments().to() > part.segments().from()) {
                long offset = part.segments().remoteOffsets()[part.segments().from()];
                int page = (int) (offset / itemLen) - firstPage;
                if (page >= 0) {
                    long since = begun.getAndSet(page / PAGES_PER_ROOM, 0);
                    if (since != 0) {
                        record(System.nanoTime() - since);
                    }
                }
            }
            return super.writeMulti(parts, options);
        }

        private synchronized void record(long nanos) {
            toFirstWrite.recordValue(nanos / 1_000);
        }

        synchronized Histogram seen() {
            return toFirstWrite.copy();
        }

        synchronized void forget() {
            toFirstWrite.reset();
        }
    }

    /**
     * Runs the measurement.
     *
     * @param args see the class
     * @throws Exception if anything fails
     */
    public static void main(String[] args) throws Exception {
        int open = args.length > 0 ? Integer.parseInt(args[0]) : 10_000;
        int rate = args.length > 1 ? Integer.parseInt(args[1]) : 500;
        int seconds = args.length > 2 ? Integer.parseInt(args[2]) : 30;
        BenchRank.Shape shape = new BenchRank.Shape(1, 2, open + SLOTS * PAGES_PER_ROOM, open + SLOTS);
        try (BootstrapServer server = BootstrapServer.start(BootstrapSettings.of("127.0.0.1", 0, null));
                BootstrapClient directory = new BootstrapClient(null, Duration.ofSeconds(2))) {
            String registry = "127.0.0.1:" + server.port();
            try (BenchRank p = new BenchRank("io-prefill", 1, 0, shape.withPages(SOURCE_PAGES), registry);
                    BenchRank d = new BenchRank("io-decode", 1, 0, shape, registry)) {
                Timed timed = new Timed(p.engine, shape.itemLen(1), open);
                try (PrefillManager prefill = PrefillManager.open(timed, p.config, BenchRank.settings(), directory);
                        DecodeManager decode =
                                DecodeManager.open(d.engine, d.config, BenchRank.settings(), directory)) {
                    new OpenRooms(prefill, decode, registry, timed, open).run(rate, seconds);
                }
            }
        }
    }

    private void run(int rate, int seconds) {
        arrive(rate, 5); // Connections, registration, compilation.
        report("before", 0);
        List<Arrival> open = new ArrayList<>();
        for (int i = 0; i < openRooms; i++) {
            open.add(start(1_000_000 + i, -1, new int[] {i}, SLOTS + i));
        }
        awaitInput(open);
        report("open rooms", 0);
        for (int i = 0; i < 3; i++) {
            timed.forget();
            toSuccess.reset();
            ended = 0;
            failed = 0;
            skipped = 0;
            long begun = System.nanoTime();
            arrive(rate, seconds);
            report("arrivals", (System.nanoTime() - begun) / 1e9);
            open.forEach(a -> require(a.receiver().poll() == KvPoll.WAITING_FOR_INPUT, "an open room ended"));
        }
        open.forEach(a -> {
            a.sender().abort();
            a.receiver().abort();
            a.sender().clear();
            a.receiver().clear();
        });
        open.clear();
        long deadline = System.nanoTime() + PATIENCE;
        while (decode.stats().tables().values().stream().anyMatch(n -> n > 16) && System.nanoTime() - deadline < 0) {
            LockSupport.parkNanos(10_000_000);
        }
        report("all ended", 0);
    }

    private void arrive(int rate, int seconds) {
        long gap = 1_000_000_000L / rate;
        long next = System.nanoTime();
        for (int i = 0; i < rate * seconds; i++) {
            while (next - System.nanoTime() > 0) {
                settle();
                LockSupport.parkNanos(Math.min(200_000, Math.max(1, next - System.nanoTime())));
            }
            next += gap;
            int slot = i % SLOTS;
            if (running.size() >= SLOTS - 1) {
                skipped++;
                continue;
            }
            int[] pages = new int[PAGES_PER_ROOM];
            for (int k = 0; k < PAGES_PER_ROOM; k++) {
                pages[k] = openRooms + slot * PAGES_PER_ROOM + (k * 3) % PAGES_PER_ROOM;
            }
            running.add(start(i, slot, pages, slot));
        }
        long deadline = System.nanoTime() + PATIENCE;
        while (!running.isEmpty()) {
            settle();
            require(System.nanoTime() - deadline < 0, "rooms do not end");
            LockSupport.parkNanos(200_000);
        }
    }

    /** A slot below 0 leaves the room open: nothing is sent. */
    private Arrival start(long room, int slot, int[] pages, int row) {
        KvSender sender = prefill.sender(room);
        sender.init(pages.length, 0);
        if (slot >= 0) {
            int from = slot * PAGES_PER_ROOM % SOURCE_PAGES;
            sender.send(KvChunk.of(new int[] {from, from + 1, from + 2, from + 3}, true));
        }
        KvReceiver receiver = decode.receiver(registry, room);
        receiver.init(KvReceiver.ANY_DP_RANK);
        long now = System.nanoTime();
        if (slot >= 0) {
            timed.begun.set(slot, now);
        }
        receiver.sendMetadata(pages, row, null, 0);
        return new Arrival(slot, now, sender, receiver);
    }

    /** What a scheduler's loop does with those that are under way. */
    private void settle() {
        for (int n = running.size(); n > 0; n--) {
            Arrival a = running.removeFirst();
            KvPoll here = a.receiver().poll();
            KvPoll there = a.sender().poll();
            if (!here.isTerminal() || !there.isTerminal()) {
                running.addLast(a);
                continue;
            }
            if (here == KvPoll.SUCCESS) {
                ended++;
                toSuccess.recordValue((System.nanoTime() - a.begun()) / 1_000);
            } else if (failed++ < 3) {
                System.out.println("room failed: " + a.receiver().failure() + " / "
                        + a.sender().failure());
            }
            a.receiver().clear();
            a.sender().clear();
        }
    }

    private void awaitInput(List<Arrival> open) {
        long deadline = System.nanoTime() + PATIENCE;
        for (Arrival a : open) {
            while (a.sender().poll() != KvPoll.WAITING_FOR_INPUT) {
                require(System.nanoTime() - deadline < 0, "rooms do not open");
                LockSupport.parkNanos(1_000_000);
            }
        }
    }

    private void report(String when, double seconds) {
        System.gc();
        long heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
        System.out.printf(
                Locale.ROOT,
                "%s: heap %.1f MiB after collection, load %.1f, prefill %s, decode %s%n",
                when,
                heap / 1048576.0,
                ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage(),
                prefill.stats().tables(),
                decode.stats().tables());
        if (seconds > 0) {
            System.out.printf(
                    Locale.ROOT,
                    "%s: %d succeeded, %d failed, %d not begun in %.1f s (%.0f/s)%n",
                    when,
                    ended,
                    failed,
                    skipped,
                    seconds,
                    ended / seconds);
            print("metadata to first write", timed.seen());
            print("metadata to success", toSuccess);
        }
    }

    private static void print(String what, Histogram h) {
        System.out.printf(
                Locale.ROOT,
                "  %s: p50 %.2f ms, p90 %.2f, p99 %.2f, p99.9 %.2f, max %.2f of %d%n",
                what,
                h.getValueAtPercentile(50) / 1e3,
                h.getValueAtPercentile(90) / 1e3,
                h.getValueAtPercentile(99) / 1e3,
                h.getValueAtPercentile(99.9) / 1e3,
                h.getMaxValue() / 1e3,
                h.getTotalCount());
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalStateException(otherwise);
        }
    }
}
