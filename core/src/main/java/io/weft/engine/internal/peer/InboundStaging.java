package io.weft.engine.internal.peer;

import io.weft.api.Access;
import io.weft.api.ErrorCode;
import io.weft.api.MemoryLocation;
import io.weft.api.WeftException;
import io.weft.engine.internal.concurrent.Waiting;
import io.weft.engine.internal.control.ControlSession;
import io.weft.engine.internal.device.CopyJob;
import io.weft.engine.internal.memory.LocalRegion;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.StampedLock;
import org.jspecify.annotations.Nullable;

/**
 * The target's side of staging for one peer. The peer's fabric reaches only a window of host memory that is the peer's
 * alone; between the window and device memory it is this engine that copies, after checking region, rights and bounds. So a
 * copy ends before a fence or a loss of the peer is confirmed (rule DL-5). Safe from any thread; calls block
 * until a copy may begin, and answer once it is over.
 */
final class InboundStaging {
    private static final Logger LOG = System.getLogger(InboundStaging.class.getName());
    private static final long PATIENCE_SECONDS = 30;
    private static final byte[] NOTHING = new byte[0];
    private static final Set<Access> RIGHTS =
            Set.of(Access.LOCAL_READ, Access.LOCAL_WRITE, Access.REMOTE_READ, Access.REMOTE_WRITE);

    private final EnginePeer peer;
    private final Map<ControlSession, StagingWindow> windows = new HashMap<>();
    /** Held for reading by each copy, so that whoever gets it for writing knows that earlier copies are over. */
    private final StampedLock copies = new StampedLock();
    /** Whoever keeps to its slots never waits here; others cannot make more work than this. */
    private final Semaphore room = new Semaphore(StagingWindow.SLOTS);

    InboundStaging(EnginePeer peer) {
        this.peer = peer;
    }

    /** Answers a call of the peer; {@code alive} throws once its session has ended. */
    CompletableFuture<byte[]> answer(ControlSession from, byte[] request, Runnable alive) {
        if (request.length == 0) {
            throw StagingMessage.malformed("it is empty");
        }
        if (request[0] == StagingMessage.LEASE) {
            return CompletableFuture.completedFuture(lease(from, alive));
        }
        if (request[0] == StagingMessage.FLUSH) {
            return CompletableFuture.completedFuture(flush(StagingMessage.readFlush(request)));
        }
        StagingMessage.Move move = StagingMessage.read(request);
        StagingWindow window;
        synchronized (windows) {
            window = windows.get(from);
        }
        if (window == null) {
            throw StagingMessage.malformed("it moves bytes of a window that was never leased");
        }
        return copy(move, window, alive);
    }

    private byte[] lease(ControlSession from, Runnable alive) {
        StagingWindow fresh = StagingWindow.open(peer.services(), peer, RIGHTS);
        StagingWindow window;
        synchronized (windows) {
            window = windows.computeIfAbsent(from, session -> fresh);
        }
        if (window != fresh) {
            fresh.close();
        }
        try {
            alive.run();
        } catch (WeftException ended) {
            release(from);
            throw ended;
        }
        return StagingMessage.leased(window.region().descriptor());
    }

    /** The peer wrote to these regions directly, and what it wrote must be visible before it is told of (rule WR-9). */
    private byte[] flush(int[] regionIds) {
        Set<MemoryLocation> devices = new HashSet<>();
        for (int id : regionIds) {
            LocalRegion region = peer.services().regions().use(peer.access(), id, Access.REMOTE_WRITE);
            devices.add(region.location());
            region.leave();
        }
        devices.removeIf(device -> device.kind().isHost());
        devices.forEach(peer.services().copies()::flush);
        return NOTHING;
    }

    private CompletableFuture<byte[]> copy(StagingMessage.Move move, StagingWindow window, Runnable alive) {
        long stamp = enter();
        LocalRegion region;
        try {
            alive.run(); // a session that ends from here on waits for this copy
            region = peer.services()
                    .regions()
                    .use(peer.access(), move.regionId(), move.scatter() ? Access.REMOTE_WRITE : Access.REMOTE_READ);
        } catch (RuntimeException refused) {
            exit(stamp);
            throw refused;
        }
        CompletableFuture<byte[]> done = new CompletableFuture<>();
        CopyJob job = new CopyJob() {
            @Override
            protected void ended(@Nullable WeftException failure) {
                region.leave();
                exit(stamp);
                if (failure == null) {
                    done.complete(NOTHING);
                } else {
                    done.completeExceptionally(failure);
                }
            }
        };
        String wrong = outside(move, region);
        if (!wrong.isEmpty()) {
            job.fail(new WeftException(ErrorCode.REMOTE_ACCESS, wrong));
        } else {
            job.set(
                    region.location(),
                    move.scatter(),
                    region.address(),
                    window.address(move.windowOffset()),
                    move.offsets(),
                    move.lengths(),
                    move.offsets().length);
            peer.services().copies().submit(job);
        }
        return done;
    }

    private static String outside(StagingMessage.Move move, LocalRegion region) {
        if (region.location().kind().isHost()) {
            return "access " + region + " through staging: it is host memory, which is reached directly";
        }
        for (int i = 0; i < move.offsets().length; i++) {
            if (move.offsets()[i] > region.length() - move.lengths()[i]) {
                return "access " + region + ": " + move.lengths()[i] + " bytes at " + move.offsets()[i] + " leave it";
            }
        }
        return "";
    }

    private long enter() {
        String why = StagingWindow.SLOTS + " copies for it are under way and none ended in " + PATIENCE_SECONDS + " s";
        boolean entered = false;
        try {
            entered = room.tryAcquire(PATIENCE_SECONDS, TimeUnit.SECONDS);
            if (entered) {
                long stamp = copies.tryReadLock(PATIENCE_SECONDS, TimeUnit.SECONDS);
                if (stamp != 0) {
                    return stamp;
                }
                why = "the peer is being fenced";
            }
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
            why = "the engine is closing";
        }
        if (entered) {
            room.release();
        }
        throw new WeftException(ErrorCode.RESOURCE_EXHAUSTED, "copy staged bytes of peer " + peer.key() + ": " + why);
    }

    private void exit(long stamp) {
        copies.unlockRead(stamp);
        room.release();
    }

    /** Waits until copies that began earlier are over. Bounded, so an interrupt does not shorten it; it is kept for the caller. */
    boolean quiesce(long deadlineNanos) {
        return Waiting.until(peer.services().clock(), deadlineNanos, left -> {
            long stamp = copies.tryWriteLock(left, TimeUnit.NANOSECONDS);
            if (stamp != 0) {
                copies.unlockWrite(stamp);
            }
            return stamp != 0;
        });
    }

    /** A session has ended: its window goes. */
    void release(ControlSession ended) {
        StagingWindow window;
        synchronized (windows) {
            window = windows.remove(ended);
        }
        if (window == null) {
            return;
        }
        long bound = peer.services().clock().nanos() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        try {
            if (quiesce(bound)) {
                window.close();
                return;
            }
            LOG.log(
                    Level.ERROR,
                    "WEFT-LEFT-BEHIND copies of lost peer " + peer.key() + " do not end; their staging memory stays");
        } catch (WeftException held) {
            LOG.log(
                    Level.ERROR,
                    "WEFT-LEFT-BEHIND staging memory of lost peer " + peer.key() + " stays: " + held.getMessage());
        }
    }
}
