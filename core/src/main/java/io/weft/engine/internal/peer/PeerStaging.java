package io.weft.engine.internal.peer;

import io.weft.api.Access;
import io.weft.api.ErrorCode;
import io.weft.api.MemoryKind;
import io.weft.api.RemoteQuiescence;
import io.weft.api.WeftException;
import io.weft.engine.Descriptors;
import io.weft.engine.internal.concurrent.Mail;
import io.weft.engine.internal.control.ControlSession;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * Moves a peer's transfers of device memory through host memory, chunk by chunk, so that copies on both sides and the wire
 * overlap. The initiator has a window of its own and leases one from the target; a chunk holds a slot of each that it needs,
 * or none. Transfers take turns. In the turn.
 */
final class PeerStaging {
    private static final Set<Access> RIGHTS = Set.of(Access.LOCAL_READ, Access.LOCAL_WRITE);

    private final EnginePeer peer;
    private final ArrayDeque<StagedTransfer> queue = new ArrayDeque<>();
    private final List<StagedChunk> chunks = new ArrayList<>();
    private final ArrayDeque<StagedChunk> idle = new ArrayDeque<>();
    private final Slots localSlots = new Slots();
    private final Slots remoteSlots = new Slots();

    private @Nullable StagingWindow localWindow;
    private @Nullable RemoteRegion remoteWindow;
    private boolean opening;
    private boolean leasing;
    private int lease;
    private boolean pumpIsDue;
    private boolean closed;

    /** Free slots of a window. */
    private static final class Slots {
        private final int[] free = new int[StagingWindow.SLOTS];
        private int count;

        void fill() {
            Arrays.setAll(free, i -> i);
            count = free.length;
        }

        void clear() {
            count = 0;
        }

        boolean isEmpty() {
            return count == 0;
        }

        int take() {
            return free[--count];
        }

        void giveBack(int slot) {
            free[count++] = slot;
        }
    }

    PeerStaging(EnginePeer peer) {
        this.peer = peer;
    }

    StagingWindow localWindow() {
        StagingWindow window = localWindow;
        assert window != null;
        return window;
    }

    RemoteRegion remoteWindow() {
        RemoteRegion window = remoteWindow;
        assert window != null;
        return window;
    }

    /** Takes a transfer whose source may be read. */
    void begin(PeerTransfer t, TransferPlan plan) {
        StagedTransfer staged = new StagedTransfer(t, plan);
        t.staged = staged;
        queue.addLast(staged);
        pumpSoon();
    }

    /** Not at once: a chunk that fails ends transfers, and the caller may be visiting them. */
    private void pumpSoon() {
        if (!pumpIsDue) {
            pumpIsDue = true;
            peer.send(Mail.of(() -> {
                pumpIsDue = false;
                pump();
            }));
        }
    }

    private void pump() {
        for (StagedTransfer staged = queue.pollFirst(); staged != null; staged = queue.pollFirst()) {
            if (staged.transfer.isWithdrawn() || !staged.hasMore()) {
                continue;
            }
            if (!hasWindows(staged)
                    || staged.localDevice && localSlots.isEmpty()
                    || staged.remoteDevice && remoteSlots.isEmpty()) {
                queue.addFirst(staged);
                return;
            }
            StagedChunk chunk = idle.pollFirst();
            if (chunk == null) {
                chunk = new StagedChunk(this, peer);
                chunks.add(chunk);
            }
            chunk.localSlot = staged.localDevice ? localSlots.take() : -1;
            chunk.remoteSlot = staged.remoteDevice ? remoteSlots.take() : -1;
            chunk.lease = lease;
            staged.cut(chunk);
            if (staged.hasMore()) {
                queue.addLast(staged);
            }
            chunk.start();
        }
    }

    private boolean hasWindows(StagedTransfer staged) {
        if (staged.localDevice && localWindow == null) {
            openLocal();
        }
        if (staged.remoteDevice && remoteWindow == null) {
            leaseRemote();
        }
        return (!staged.localDevice || localWindow != null) && (!staged.remoteDevice || remoteWindow != null);
    }

    private void openLocal() {
        if (opening) {
            return;
        }
        opening = true;
        peer.asides()
                .run(
                        () -> StagingWindow.open(peer.services(), peer, RIGHTS),
                        window -> {
                            opening = false;
                            localWindow = window;
                            localSlots.fill();
                            pump();
                        },
                        refused -> {
                            opening = false;
                            failAll(refused, true);
                        });
    }

    private void leaseRemote() {
        ControlSession session = peer.session();
        if (leasing || session == null) {
            return; // without a session its transfers fail with PEER_LOST
        }
        leasing = true;
        int number = ++lease;
        long deadline = peer.now() + peer.services().settings().connectNanos();
        session.call(StagingMessage.NAME, StagingMessage.lease(), deadline)
                .whenComplete((answer, failure) -> peer.send(Mail.of(() -> leased(number, answer, failure))));
    }

    private void leased(int number, byte @Nullable [] answer, @Nullable Throwable failure) {
        if (number != lease) {
            return; // the session it came over is gone
        }
        leasing = false;
        try {
            if (answer == null) {
                throw failure instanceof CompletionException && failure.getCause() instanceof WeftException told
                        ? told
                        : failure instanceof WeftException direct
                                ? direct
                                : new WeftException(ErrorCode.INTERNAL, "lease staging memory: " + failure);
            }
            remoteWindow = readLease(answer);
            remoteSlots.fill();
            pump();
        } catch (WeftException refused) {
            failAll(refused, false);
        }
    }

    private RemoteRegion readLease(byte[] answer) {
        ByteBuffer in = ByteBuffer.wrap(answer);
        if (answer.length < 8 || in.getInt() < StagingWindow.SLOTS || in.getInt() < StagingWindow.SLOT_BYTES) {
            throw StagingMessage.malformed("the window it leases is too small");
        }
        byte[] packed = new byte[in.remaining()];
        in.get(packed);
        return peer.remoteRegion(Descriptors.unpackMemory(packed), MemoryKind.HOST);
    }

    private void failAll(WeftException why, boolean ofLocal) {
        List<StagedTransfer> hit = queue.stream()
                .filter(staged -> ofLocal ? staged.localDevice : staged.remoteDevice)
                .toList();
        queue.removeAll(hit);
        hit.forEach(staged -> peer.flow().fail(staged.transfer, why.code(), String.valueOf(why.getMessage()), 0));
        pumpSoon();
    }

    void chunkEnded(StagedChunk chunk, StagedTransfer staged, @Nullable WeftException failure, boolean slotIsQuiet) {
        if (chunk.localSlot >= 0) {
            localSlots.giveBack(chunk.localSlot);
        }
        if (chunk.remoteSlot >= 0 && chunk.lease == lease && remoteWindow != null && slotIsQuiet) {
            remoteSlots.giveBack(chunk.remoteSlot);
        }
        idle.addLast(chunk);
        PeerTransfer t = staged.transfer;
        if (failure != null) {
            if (!slotIsQuiet) {
                t.remote = RemoteQuiescence.UNCONFIRMED;
            }
            peer.flow().fail(t, failure.code(), String.valueOf(failure.getMessage()), failure.nativeCode());
        }
        peer.flow().chunkEnded(t, staged);
        closeIfUnused();
        pumpSoon();
    }

    /** A transfer is withdrawn: its chunks follow. */
    void abort(PeerTransfer t) {
        peer.send(Mail.of(() -> {
            for (StagedChunk chunk : List.copyOf(chunks)) {
                if (chunk.isOf(t)) {
                    chunk.abort();
                }
            }
        }));
    }

    /** The session is gone, and the target's window with it. */
    void sessionEnded() {
        lease++;
        leasing = false;
        remoteWindow = null;
        remoteSlots.clear();
    }

    /** Nothing will be moved for long: the local window goes when no chunk is left. */
    void close() {
        closed = true;
        closeIfUnused();
    }

    private void closeIfUnused() {
        StagingWindow window = localWindow;
        if (closed && window != null && idle.size() == chunks.size()) {
            localWindow = null;
            localSlots.clear();
            peer.asides()
                    .run(
                            () -> {
                                window.close();
                                return true;
                            },
                            done -> {},
                            held -> System.getLogger(PeerStaging.class.getName())
                                    .log(System.Logger.Level.ERROR, "WEFT-LEFT-BEHIND " + held.getMessage()));
        }
    }

    void sessionBegan() {
        closed = false;
    }
}
