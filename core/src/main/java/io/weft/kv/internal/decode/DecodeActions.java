package io.weft.kv.internal.decode;

import java.util.ArrayList;
import java.util.List;

/** What a room wants done after it changed, carried out without its lock. */
final class DecodeActions {
    private final List<PrefillRank> aborts = new ArrayList<>(0);
    private final List<Writers.Writer> fences = new ArrayList<>(0);
    private boolean sendMetadata;
    private boolean ended;
    private boolean forgetInstance;
    private boolean leaseMoved;

    void abort(PrefillRank rank) {
        aborts.add(rank);
    }

    void fence(List<Writers.Writer> writers) {
        fences.addAll(writers);
    }

    void sendMetadata() {
        sendMetadata = true;
    }

    void ended() {
        ended = true;
    }

    /** The prefill ranks are not who they were: look them up and register anew next time. */
    void forgetInstance() {
        forgetInstance = true;
    }

    void leaseMoved() {
        leaseMoved = true;
    }

    List<PrefillRank> aborts() {
        return aborts;
    }

    List<Writers.Writer> fences() {
        return fences;
    }

    boolean wantsMetadata() {
        return sendMetadata;
    }

    boolean hasEnded() {
        return ended;
    }

    boolean forgetsInstance() {
        return forgetInstance;
    }

    boolean hasLeaseMoved() {
        return leaseMoved;
    }
}
