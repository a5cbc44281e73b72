package io.weft.kv.internal.decode;

import io.weft.kv.internal.room.Words;
import io.weft.kv.wire.Quiet;
import io.weft.telemetry.StallText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The prefill ranks that write for a room, and what each has said about the end of its writes. Guarded by the room.
 */
final class Writers {
    private final Map<Integer, Writer> byRank = new LinkedHashMap<>();

    /** One writing rank. */
    static final class Writer {
        private final PrefillRank rank;
        private boolean succeeded;
        private boolean quiet;
        private boolean fenced;
        private boolean fencing;
        private boolean weft;
        private boolean unconfirmed;
        private boolean pending;
        private String engineKey;
        private long waitsSince;

        Writer(PrefillRank rank) {
            this.rank = rank;
            this.weft = rank.isWeft();
            this.engineKey = rank.found().engineKey();
        }

        PrefillRank rank() {
            return rank;
        }

        String engineKey() {
            return engineKey;
        }

        /** After the room failed: each rank that had not reported then was sent an abort. */
        private String said() {
            if (unconfirmed) {
                return "cannot vouch for its writes";
            }
            return pending ? "said that its writes are still ending" : "did not answer the abort";
        }
    }

    Writers(List<PrefillRank> ranks) {
        for (PrefillRank rank : ranks) {
            if (!rank.dummy()) {
                byRank.put(rank.uniqueRank(), new Writer(rank));
            }
        }
    }

    @Nullable
    Writer find(int uniqueRank) {
        return byRank.get(uniqueRank);
    }

    void heardFrom(Writer writer, String engineKey) {
        writer.weft = true;
        if (!engineKey.isEmpty()) {
            writer.engineKey = engineKey;
        }
    }

    void succeeded(Writer writer) {
        writer.succeeded = true;
        writer.quiet = true;
    }

    void failed(Writer writer, Quiet quiet) {
        switch (quiet) {
            case UNSAID, ACKED -> writer.quiet = true;
            case UNCONFIRMED -> writer.unconfirmed = true;
            case PENDING -> writer.pending = true;
        }
    }

    boolean allSucceeded() {
        return byRank.values().stream().allMatch(w -> w.succeeded);
    }

    long successes() {
        return byRank.values().stream().filter(w -> w.succeeded).count();
    }

    /** Those that did not report success, for people. */
    String unfinished() {
        return Words.list(byRank.values().stream().filter(w -> !w.succeeded).map(w -> w.rank.inWords()));
    }

    /** Those whose writes may go on in a failed room, and what each was heard to say since, for people. */
    String unquiet(long now, long drainNanos, long quarantineNanos) {
        return Words.list(byRank.values().stream()
                .filter(w -> !w.quiet)
                .map(w -> w.rank.inWords() + " "
                        + w.said()
                        + " for " + StallText.duration(now - w.waitsSince)
                        + (w.fencing
                                ? " and is being cut off"
                                : " and is cut off after "
                                        + StallText.duration(w.weft ? drainNanos : quarantineNanos))));
    }

    int size() {
        return byRank.size();
    }

    /** Whether nothing can be written for the room any more. */
    boolean allQuiet() {
        return byRank.values().stream().allMatch(w -> w.quiet);
    }

    boolean anyFenced() {
        return byRank.values().stream().anyMatch(w -> w.fenced);
    }

    boolean isQuiet(int uniqueRank) {
        Writer writer = byRank.get(uniqueRank);
        return writer != null && writer.quiet;
    }

    /** Whether some rank that has not said anything cannot, because it is an older one. */
    boolean waitsForOlder() {
        return byRank.values().stream().anyMatch(w -> !w.quiet && !w.weft);
    }

    void startWaiting(long now) {
        byRank.values().forEach(w -> w.waitsSince = now);
    }

    /** Ranks whose time to report is over, or whose writes nobody can vouch for; each is returned until its fence ended. */
    List<Writer> toFence(long now, long drainNanos, long quarantineNanos) {
        List<Writer> due = new ArrayList<>(0);
        for (Writer writer : byRank.values()) {
            long limit = writer.weft ? drainNanos : quarantineNanos;
            boolean late = writer.unconfirmed || now - writer.waitsSince >= limit;
            if (!writer.quiet && !writer.fencing && late) {
                writer.fencing = true;
                due.add(writer);
            }
        }
        return due;
    }

    void fenceEnded(Writer writer, boolean confirmed) {
        writer.fencing = false;
        if (confirmed && !writer.quiet) {
            writer.fenced = true;
            writer.quiet = true;
        }
    }
}
