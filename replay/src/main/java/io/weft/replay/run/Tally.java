package io.weft.replay.run;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Counts of a running replay. Safe from any thread. */
final class Tally {
    final AtomicInteger waiting = new AtomicInteger();
    final AtomicInteger computing = new AtomicInteger();
    final AtomicInteger transferring = new AtomicInteger();
    final AtomicInteger checking = new AtomicInteger();
    final AtomicLong bytes = new AtomicLong();
    final AtomicLong pagesCorrupted = new AtomicLong();
    final AtomicLong pageOrdinal = new AtomicLong();
    private final List<RequestRecord> records = new ArrayList<>();
    private int failed;

    synchronized int add(RequestRecord request) {
        records.add(request);
        if (!request.succeeded()) {
            failed++;
        }
        return records.size();
    }

    synchronized List<RequestRecord> records() {
        return List.copyOf(records);
    }

    synchronized int ended() {
        return records.size();
    }

    /**
     * A line for a person who watches.
     *
     * @param requests requests of the whole run
     * @param seconds seconds since it began
     * @return one line without line end
     */
    synchronized String progress(int requests, double seconds) {
        return String.format(
                "%d/%d requests, %.2f GB/s, waiting %d, computing %d, transferring %d, checking %d, failed %d",
                records.size(),
                requests,
                bytes.get() / Math.max(seconds, 0.001) / 1e9,
                waiting.get(),
                computing.get(),
                transferring.get(),
                checking.get(),
                failed);
    }
}
