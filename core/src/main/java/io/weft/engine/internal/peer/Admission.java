package io.weft.engine.internal.peer;

import io.weft.engine.internal.settings.EngineSettings;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Bounds what is under way to one peer (rule BP-1). Safe from any thread; never blocks. */
public final class Admission {
    private final EngineSettings settings;
    private final AtomicInteger transfers = new AtomicInteger();
    private final AtomicLong segments = new AtomicLong();

    Admission(EngineSettings settings) {
        this.settings = settings;
    }

    /**
     * Takes room for a transfer, to be given back when it is terminal.
     *
     * @param planned segments of its plan
     * @return what is full, empty if it fits
     */
    public String admit(int planned) {
        int count = transfers.incrementAndGet();
        long held = segments.addAndGet(planned);
        if (count <= settings.queueTransfers() && (held <= settings.queueSegments() || held == planned)) {
            return "";
        }
        giveBack(planned);
        return count > settings.queueTransfers()
                ? settings.queueTransfers() + " transfers to it are not over (weft.queue.transfers)"
                : held - planned + " segments of transfers to it are not over, " + planned + " more would pass "
                        + settings.queueSegments() + " (weft.queue.segments)";
    }

    void giveBack(int planned) {
        transfers.decrementAndGet();
        segments.addAndGet(-planned);
    }

    int transfers() {
        return transfers.get();
    }

    long segments() {
        return segments.get();
    }
}
