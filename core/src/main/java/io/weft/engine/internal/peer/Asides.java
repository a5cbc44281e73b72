package io.weft.engine.internal.peer;

import io.weft.api.ErrorCode;
import io.weft.api.WeftException;
import io.weft.engine.internal.concurrent.Mail;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Work for a peer that may block: done on a control thread, what follows from it in the peer's turn. In the turn. */
final class Asides {
    private final EnginePeer peer;
    private int running;

    Asides(EnginePeer peer) {
        this.peer = peer;
    }

    /** Whether a control thread is working for this peer. */
    boolean any() {
        return running > 0;
    }

    <T> void run(Supplier<T> blocking, Consumer<T> then, Consumer<WeftException> failed) {
        running++;
        try {
            peer.services().control().execute(() -> peer.send(outcome(blocking, then, failed)));
        } catch (RejectedExecutionException closed) {
            WeftException told = new WeftException(ErrorCode.CLOSED, "the engine is closed", closed);
            peer.send(back(() -> failed.accept(told)));
        }
    }

    private <T> Mail outcome(Supplier<T> blocking, Consumer<T> then, Consumer<WeftException> failed) {
        try {
            T result = blocking.get();
            return back(() -> then.accept(result));
        } catch (WeftException told) {
            return back(() -> failed.accept(told));
        } catch (RuntimeException defect) {
            WeftException told = new WeftException(
                    ErrorCode.INTERNAL, "defect in Weft, at peer " + peer.key() + ": " + defect, defect);
            return back(() -> failed.accept(told));
        } catch (Error fatal) {
            WeftException told = new WeftException(
                    ErrorCode.INTERNAL, "at peer " + peer.key() + ", a control thread died: " + fatal, fatal);
            peer.send(back(() -> failed.accept(told)));
            throw fatal;
        }
    }

    private Mail back(Runnable action) {
        return Mail.of(() -> {
            running--;
            action.run();
        });
    }
}
