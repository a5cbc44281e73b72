package io.weft.engine.internal.peer;

import io.weft.api.ErrorCode;
import io.weft.engine.internal.backend.OpenBackend;
import io.weft.spi.Limits;
import io.weft.spi.Link;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Posts a link's transfers piece by piece, within its bounds, and takes the completions. In the turn. */
final class Poster {
    /** A caller's thread posts this much for others before it hands over. */
    private static final int CALLERS_OPERATIONS = 64;

    private static final long CALLERS_BYTES = 4L << 20;

    private final PeerLink owner;
    private final EnginePeer peer;
    private final OpenBackend backend;
    private final long transferWindow;
    private final long linkWindow;
    private final LinkQueue queue = new LinkQueue();
    private final List<Piece> pieces = new ArrayList<>();
    private @Nullable Piece free;

    private @Nullable Link link;
    private @Nullable LinkListener events;
    private PieceCutter cutter;
    private int mostInFlight;
    private boolean windowed;
    private int inFlight;
    private long inFlightBytes;
    /** The link said WOULD_BLOCK. */
    private boolean blocked;

    Poster(PeerLink owner, EnginePeer peer, OpenBackend backend) {
        this.owner = owner;
        this.peer = peer;
        this.backend = backend;
        this.transferWindow = peer.services().settings().windowBytes();
        this.linkWindow = peer.services().settings().linkWindowBytes();
        this.cutter = new PieceCutter(backend.limits(), 1);
    }

    void open(Link opened, LinkListener listener, Limits limits) {
        link = opened;
        events = listener;
        cutter = new PieceCutter(limits, peer.services().settings().pieceBytes());
        mostInFlight = limits.operationsInFlight();
        windowed = !limits.singleOperation();
        blocked = false;
    }

    /** Posts nothing more; completions still come. */
    void close(TransferList waiting) {
        link = null;
        queue.moveTo(waiting);
    }

    int inFlight() {
        return inFlight;
    }

    long inFlightBytes() {
        return inFlightBytes;
    }

    boolean isBlocked() {
        return blocked;
    }

    void enqueue(PeerTransfer t) {
        queue.addLast(t);
    }

    private boolean hasRoom(PeerTransfer t) {
        return !windowed || t.outstandingBytes < transferWindow;
    }

    /** Goes on with a transfer one of whose pieces has completed. */
    void resume(PeerTransfer t) {
        if (link != null && t.place == null && t.hasMore() && hasRoom(t)) {
            queue.addFirst(t);
        }
    }

    /** Goes on with a transfer whose bytes are in place and whose end the backend is to tell. */
    void announce(PeerTransfer t) {
        Piece piece = takeFree();
        piece.announcement(t);
        again(t, piece);
        resume(t);
    }

    /** Posts what can be posted; true if there is more, but enough for this thread. */
    boolean pump(boolean relieved) {
        int operations = 0;
        long bytes = 0;
        while (link != null && !peer.isSuspect() && inFlight < mostInFlight && inFlightBytes < linkWindow) {
            if (blocked && !unblock()) {
                break;
            }
            PeerTransfer t = queue.next();
            if (t == null) {
                break;
            }
            if (!relieved && (operations >= CALLERS_OPERATIONS || bytes >= CALLERS_BYTES)) {
                return true;
            }
            Piece piece = take(t);
            if (!piece.hasKeys()) {
                again(t, piece);
                awaitKeys(t);
                continue;
            }
            operations++;
            bytes += piece.totalBytes();
            post(t, piece);
        }
        if (operations > 0) {
            backend.nudge();
        }
        return false;
    }

    private void awaitKeys(PeerTransfer t) {
        if (t.place != null) {
            t.place.remove(t);
        }
        peer.flow().advance(t);
    }

    private boolean unblock() {
        LinkListener listener = events;
        if (listener != null && listener.isWritable()) {
            blocked = false;
        }
        return !blocked;
    }

    private Piece take(PeerTransfer t) {
        Piece piece = t.again;
        if (piece != null) {
            t.again = piece.nextPiece;
            piece.nextPiece = null;
            return piece;
        }
        piece = takeFree();
        cutter.cut(t, piece);
        return piece;
    }

    private Piece takeFree() {
        Piece piece = free;
        if (piece == null) {
            piece = backend.slots().add(index -> new Piece(index, owner));
            pieces.add(piece);
        } else {
            free = piece.nextPiece;
            piece.nextPiece = null;
        }
        return piece;
    }

    void recycle(Piece piece) {
        piece.clear();
        piece.nextPiece = free;
        free = piece;
    }

    /** Recycles what a transfer was to post again. */
    void recycleAgain(PeerTransfer t) {
        while (t.again != null) {
            Piece piece = t.again;
            t.again = piece.nextPiece;
            recycle(piece);
        }
    }

    void again(PeerTransfer t, Piece piece) {
        piece.nextPiece = t.again;
        t.again = piece;
    }

    private void post(PeerTransfer t, Piece piece) {
        Link to = link;
        LinkListener listener = events;
        if (to == null || listener == null) {
            throw new IllegalStateException("post without a link");
        }
        if (t.firstPostNanos == 0) {
            t.firstPostNanos = peer.services().clock().nanos();
            t.path = owner.path();
        }
        listener.forgetWritable();
        // Counted before the call: a completion may come inside it, and an Error may leave it.
        account(t, piece, 1);
        t.operations++;
        piece.freshKeys = t.keysRefreshed;
        piece.arm();
        int answer;
        try {
            answer = to.post(piece);
        } catch (VirtualMachineError fatal) {
            throw fatal;
        } catch (Throwable defect) {
            // Nobody knows whether it was taken; the fence will tell.
            String text = backend.guard().text("post an operation", defect);
            owner.breakDown(ErrorCode.INTERNAL, 0, text);
            peer.flow().fail(t, ErrorCode.INTERNAL, text, 0);
            return;
        }
        if (answer == Link.ACCEPTED || !piece.disarm()) {
            if (t.place != null && !(t.hasMore() && hasRoom(t))) {
                t.place.remove(t);
            }
        } else {
            account(t, piece, -1);
            t.operations--;
            refused(t, piece, answer);
        }
    }

    private void refused(PeerTransfer t, Piece piece, int answer) {
        if (answer == Link.WOULD_BLOCK) {
            again(t, piece);
            t.retries++;
            blocked = true;
        } else if (ErrorCode.ofNumber(answer) == ErrorCode.PEER_LOST) {
            again(t, piece);
            owner.breakDown(ErrorCode.PEER_LOST, 0, "the link refused a post because it is down");
        } else {
            recycle(piece);
            ErrorCode code = ErrorCode.ofNumber(answer);
            peer.flow().fail(t, code, "backend " + backend.name() + " refused an operation with " + code, 0);
        }
    }

    private void account(PeerTransfer t, Piece piece, int sign) {
        inFlight += sign;
        inFlightBytes += sign * piece.totalBytes();
        t.outstanding += sign;
        t.outstandingBytes += sign * piece.totalBytes();
    }

    /** A completion came. */
    void completed(Piece piece) {
        PeerTransfer t = piece.owner();
        account(t, piece, -1);
        if (piece.code() == 0) {
            recycle(piece);
            peer.flow().moved(t);
        } else {
            peer.flow().pieceFailed(t, piece);
        }
    }

    /** Takes back what the backend did not complete though its link is quiet; returns how many. */
    int abandon() {
        int abandoned = 0;
        for (Piece piece : pieces) {
            if (piece.isPosted() && piece.disarm()) {
                PeerTransfer t = piece.owner();
                account(t, piece, -1);
                peer.flow().pieceLost(t, piece);
                abandoned++;
            }
        }
        return abandoned;
    }

    /** Asks the link to withdraw what it accepted of a transfer; whatever comes of it comes as completions. */
    void tryCancel(PeerTransfer t) {
        Link at = link;
        for (int i = 0; at != null && i < pieces.size(); i++) {
            Piece piece = pieces.get(i);
            if (piece.transfer == t && piece.isPosted()) {
                long token = piece.token();
                backend.guard().call("cancel an operation", () -> at.cancel(token));
            }
        }
    }
}
