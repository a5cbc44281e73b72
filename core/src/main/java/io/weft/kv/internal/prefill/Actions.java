package io.weft.kv.internal.prefill;

import io.weft.api.Transfer;
import io.weft.kv.wire.Quiet;
import java.util.ArrayList;
import java.util.List;

/**
 * What a room wants done after it changed: its methods only decide under its lock, the actions are carried out without it, so
 * that no lock is held across calls into engine or sockets.
 */
final class Actions {
    /** Tells a decode rank how the room ended or is ending. */
    record Notice(Part part, boolean success, Quiet quiet) {}

    private final List<Notice> notices = new ArrayList<>(2);
    private final List<Transfer> cancels = new ArrayList<>(0);
    private boolean pump;
    private boolean ended;
    private boolean drained;

    void notice(Part part, boolean success, Quiet quiet) {
        notices.add(new Notice(part, success, quiet));
    }

    void cancel(Iterable<Transfer> transfers) {
        transfers.forEach(cancels::add);
    }

    /** There may be a chunk to submit. */
    void pump() {
        pump = true;
    }

    /** The status became terminal. */
    void ended() {
        ended = true;
    }

    /** Nothing of the room touches this rank's memory any more. */
    void drained() {
        drained = true;
    }

    List<Notice> notices() {
        return notices;
    }

    List<Transfer> cancels() {
        return cancels;
    }

    boolean wantsPump() {
        return pump;
    }

    boolean hasEnded() {
        return ended;
    }

    boolean isDrained() {
        return drained;
    }
}
