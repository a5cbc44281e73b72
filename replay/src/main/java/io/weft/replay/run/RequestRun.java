package io.weft.replay.run;

import io.weft.replay.model.ScaledModel;
import io.weft.replay.pages.Block;
import io.weft.replay.pages.Lease;
import io.weft.replay.rank.RankException;
import io.weft.replay.rank.RankProcess;
import io.weft.replay.rank.RoomEnd;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import tools.jackson.databind.node.ObjectNode;

/**
 * One request from its lease to its end, on a virtual thread of its own: prefill fills the missing pages, decode asks for
 * them, prefill sends them in chunks, decode checks them.
 */
final class RequestRun {
    /** Tokens that prefill computes before it sends, as engines chunk long prompts. */
    private static final int CHUNK_TOKENS = 2_048;

    private final RequestBuilder record;
    private final List<RankProcess> prefill;
    private final List<RankProcess> decode;
    private final Resources.Held source;
    private final Resources.Held target;
    private final Faults faults;
    private final Tally tally;
    private final Duration timeout;
    private final LongSupplier micros;

    RequestRun(
            RequestBuilder record,
            List<RankProcess> prefill,
            List<RankProcess> decode,
            Resources.Held source,
            Resources.Held target,
            Faults faults,
            Tally tally,
            Duration timeout,
            LongSupplier micros) {
        this.record = record;
        this.prefill = prefill;
        this.decode = decode;
        this.source = source;
        this.target = target;
        this.faults = faults;
        this.tally = tally;
        this.timeout = timeout;
        this.micros = micros;
    }

    /** Runs the request; whatever happens ends in the record. */
    void run() {
        try {
            in(tally.computing, this::compute);
            record.computed = micros.getAsLong();
            in(tally.transferring, this::transfer);
            record.transferred = micros.getAsLong();
            in(tally.checking, this::check);
        } catch (RankException e) {
            record.reason = e.getMessage();
        }
        prefill.forEach(rank -> rank.forget(record.room));
        decode.forEach(rank -> rank.forget(record.room));
        record.ended = micros.getAsLong();
    }

    private static void in(java.util.concurrent.atomic.AtomicInteger phase, Runnable work) {
        phase.incrementAndGet();
        try {
            work.run();
        } finally {
            phase.decrementAndGet();
        }
    }

    private void compute() {
        int[] fresh = Lease.pages(source.lease().missing());
        for (Block block : source.lease().missing()) {
            for (int p = 0; p < block.pages().length; p++) {
                block.fillWith(p, record.room, block.pages()[p]);
            }
        }
        onAll(prefill, rank -> rank.ask(Commands.fill(record.room, fresh, source), timeout));
        int[] missing = Lease.pages(target.lease().missing());
        onAll(decode, rank -> rank.ask(Commands.poison(missing, target), timeout));
    }

    private void transfer() {
        int hits = target.lease().hits();
        List<Block> sent =
                source.lease().blocks().subList(hits, source.lease().blocks().size());
        int[] pages = Lease.pages(sent);
        copyProvenance(sent);
        TreeSet<Integer> dropped = new TreeSet<>();
        if (faults.any()) {
            breakPages(pages, dropped);
        }
        int[] targetPages = Lease.pages(target.lease().missing());
        int prefixPages = Lease.pages(target.lease().blocks()).length - targetPages.length;
        record.prefixPages = (long) prefixPages * decode.size();
        ObjectNode receive = Commands.receive(record.room, targetPages, prefixPages * ScaledModel.PAGE_TOKENS, target);
        decode.forEach(rank -> rank.tell(receive));
        record.pages = (long) pages.length * decode.size();
        sendChunks(pages, dropped);
        awaitEnds();
    }

    private void sendChunks(int[] pages, TreeSet<Integer> dropped) {
        int chunk = Math.max(1, CHUNK_TOKENS / ScaledModel.PAGE_TOKENS);
        int from = 0;
        do {
            int to = Math.min(pages.length, from + chunk);
            ObjectNode send = Commands.send(record.room, pages, from, to, dropped, source);
            prefill.forEach(rank -> rank.tell(send));
            from = to;
        } while (from < pages.length);
    }

    private void copyProvenance(List<Block> sent) {
        List<Block> received = target.lease().missing();
        for (int b = 0; b < received.size(); b++) {
            for (int p = 0; p < received.get(b).pages().length; p++) {
                received.get(b).fillWith(p, sent.get(b).seed(p), sent.get(b).sourcePage(p));
            }
        }
    }

    private void breakPages(int[] pages, TreeSet<Integer> dropped) {
        List<Integer> flipped = new ArrayList<>();
        List<Integer> swapped = new ArrayList<>();
        for (int page : pages) {
            switch (faults.next()) {
                case "flip" -> flipped.add(page);
                case "swapHeads" -> swapped.add(page);
                case "drop" -> dropped.add(page);
                default -> {}
            }
        }
        taint("flip", flipped);
        taint("rotateHeads", swapped);
        tally.pagesCorrupted.addAndGet((long) (flipped.size() + swapped.size() + dropped.size()) * decode.size());
    }

    private void taint(String how, List<Integer> pages) {
        if (!pages.isEmpty()) {
            onAll(prefill, rank -> rank.ask(Commands.taint(how, pages), timeout));
        }
    }

    /** Waits for every rank's end; the first failure makes the others' rooms end too, and its reason is the request's. */
    private void awaitEnds() {
        List<RankProcess> all = new ArrayList<>(decode);
        all.addAll(prefill);
        List<CompletableFuture<RoomEnd>> ends =
                all.stream().map(rank -> rank.roomEnd(record.room)).toList();
        CompletableFuture<String> failure = new CompletableFuture<>();
        for (int i = 0; i < all.size(); i++) {
            String name = all.get(i).name();
            ends.get(i).thenAccept(end -> {
                if (!end.success()) {
                    failure.complete(name + ": " + (end.code().isEmpty() ? "" : end.code() + ": ") + end.reason());
                }
            });
        }
        CompletableFuture<Void> done = CompletableFuture.allOf(ends.toArray(CompletableFuture[]::new));
        await(CompletableFuture.anyOf(done, failure));
        if (!failure.isDone() && !done.isDone()) {
            failure.complete("no end of the room within " + timeout.toSeconds() + " s; open at " + names(all, ends));
        }
        if (failure.isDone()) {
            all.forEach(rank -> rank.tell(RankProcess.op("abort").put("room", record.room)));
            await(done);
            throw new RankException(failure.join());
        }
        for (int i = 0; i < decode.size(); i++) {
            record.bytes += ends.get(i).join().bytes();
        }
        tally.bytes.addAndGet(record.bytes);
    }

    private static String names(List<RankProcess> ranks, List<CompletableFuture<RoomEnd>> ends) {
        List<String> open = new ArrayList<>();
        for (int i = 0; i < ranks.size(); i++) {
            if (!ends.get(i).isDone()) {
                open.add(ranks.get(i).name());
            }
        }
        return String.join(", ", open);
    }

    private void await(CompletableFuture<?> what) {
        try {
            what.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException _) {
            // The caller looks at what is done and says what is not.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void check() {
        onAll(decode, rank -> {
            PageCheck check = new PageCheck(rank, timeout);
            check.pages(target.lease().blocks());
            check.auxAndState(record.room, record.room, source, target);
            synchronized (record) {
                record.verified += Lease.pages(target.lease().missing()).length;
                record.mismatched += check.wrong();
            }
        });
    }

    /** Runs the same at each rank, side by side; the first failure is thrown once all have ended. */
    private static void onAll(List<RankProcess> ranks, Consumer<RankProcess> work) {
        List<RankException> failures = java.util.Collections.synchronizedList(new ArrayList<>());
        List<Thread> threads = ranks.stream()
                .map(rank -> Thread.ofVirtual().start(() -> {
                    try {
                        work.accept(rank);
                    } catch (RankException e) {
                        failures.add(e);
                    }
                }))
                .toList();
        for (Thread thread : threads) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new RankException("interrupted");
            }
        }
        if (!failures.isEmpty()) {
            throw failures.getFirst();
        }
    }
}
