package io.weft.kv.internal.room;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts messages that changed nothing and logs each cause once; causes that differ in numbers only are one. PULL sockets do not
 * tell who sent a message, so the cause stands in for the sender. Safe from any thread.
 */
public final class RejectionLog {
    private static final int MAX_CAUSES = 256;

    private final Logger log;
    private final String rank;
    private final LongAdder count = new LongAdder();
    private final Set<String> logged = ConcurrentHashMap.newKeySet();

    /**
     * A log.
     *
     * @param log where to
     * @param rank who rejects
     */
    public RejectionLog(Logger log, String rank) {
        this.log = log;
        this.rank = rank;
    }

    /**
     * Counts a message.
     *
     * @param cause why it changed nothing
     */
    public void add(String cause) {
        count.increment();
        if (logged.size() < MAX_CAUSES && logged.add(withoutNumbers(cause))) {
            log.log(
                    Level.WARNING,
                    "WEFT-MESSAGE {0}: message ignored: {1} (further ones like it are only counted)",
                    rank,
                    cause);
        }
    }

    private static String withoutNumbers(String cause) {
        StringBuilder kept = new StringBuilder(cause.length());
        cause.chars().filter(c -> c < '0' || c > '9').forEach(c -> kept.append((char) c));
        return kept.toString();
    }

    /**
     * Messages so far.
     *
     * @return a count
     */
    public long count() {
        return count.sum();
    }
}
