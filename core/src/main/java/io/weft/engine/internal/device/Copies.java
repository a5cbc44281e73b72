package io.weft.engine.internal.device;

import io.weft.api.ErrorCode;
import io.weft.api.MemoryLocation;
import io.weft.api.WeftException;
import io.weft.engine.internal.concurrent.QueueThread;
import io.weft.spi.DeviceStream;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Copies between device and staging memory: one thread with one stream per device, started with the first job. It spins,
 * yields and then parks while copies are under way, and sleeps when there are none. Safe from any thread.
 */
public final class Copies {
    /** Short: a copy of a chunk takes tens of microseconds, and processors that spin are missing to the wire. */
    private static final int SPINS = 20;

    private static final int YIELDS = 25;
    private static final long PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(50);

    private final DeviceMemories memories;
    private final QueueThread<CopyJob> jobs;
    private final Map<MemoryLocation, Lane> lanes = new HashMap<>();

    /**
     * Makes it without a thread.
     *
     * @param memories opens streams
     * @param threads makes the one thread
     */
    public Copies(DeviceMemories memories, ThreadFactory threads) {
        this.memories = memories;
        this.jobs = new QueueThread<>(threads, this::run);
    }

    /** The stream of one device with what was queued on it, in order. */
    private static final class Lane {
        final ArrayDeque<CopyJob> queued = new ArrayDeque<>();

        @Nullable
        DeviceStream stream;
    }

    /**
     * Takes a job.
     *
     * @param job filled; its end is told in any case
     */
    public void submit(CopyJob job) {
        if (!jobs.give(job)) {
            job.ended(new WeftException(ErrorCode.CLOSED, "copy device memory: the engine is closed"));
        }
    }

    /**
     * Makes what a NIC wrote to a device visible there (rule WR-9). May block; not on the copying thread.
     *
     * @param where the device
     * @throws WeftException UNSUPPORTED without a provider, DEVICE if the driver refuses
     */
    public void flush(MemoryLocation where) {
        memories.require(where.kind(), "flush " + where).flushRemoteWrites(where.device());
    }

    /**
     * Ends the thread once what was submitted is over.
     *
     * @param timeoutNanos how long to wait for it
     * @throws InterruptedException if interrupted
     */
    public void close(long timeoutNanos) throws InterruptedException {
        jobs.close(timeoutNanos);
    }

    private void run() {
        int idle = 0;
        while (true) {
            boolean last = jobs.isClosed(); // read before the queue, so that nothing submitted earlier is missed
            boolean moved = false;
            for (CopyJob job = jobs.poll(); job != null; job = jobs.poll()) {
                begin(job);
                moved = true;
            }
            boolean busy = false;
            for (Lane lane : lanes.values()) {
                moved |= collect(lane);
                busy |= !lane.queued.isEmpty();
            }
            if (!busy && last && jobs.isEmpty()) {
                lanes.values().forEach(Copies::discard);
                return;
            }
            idle = moved ? 0 : idle + 1;
            pause(busy, idle);
        }
    }

    private void pause(boolean busy, int idle) {
        if (!busy) {
            if (jobs.isEmpty() && !jobs.isClosed()) {
                LockSupport.park(this);
            }
        } else if (idle < SPINS) {
            Thread.onSpinWait();
        } else if (idle < YIELDS) {
            Thread.yield();
        } else {
            LockSupport.parkNanos(this, PAUSE_NANOS);
        }
    }

    private void begin(CopyJob job) {
        Lane lane = lanes.computeIfAbsent(job.location, location -> new Lane());
        lane.queued.addLast(job);
        try {
            DeviceStream stream = lane.stream;
            if (stream == null) {
                stream = memories.require(job.location.kind(), "copy to or from " + job.location)
                        .openStream(job.location.device());
                lane.stream = stream;
            }
            long host = job.hostAddress;
            for (int i = 0; i < job.count; i++) {
                if (job.toDevice) {
                    stream.copyToDevice(job.deviceBase + job.offsets[i], host, job.lengths[i]);
                } else {
                    stream.copyToHost(host, job.deviceBase + job.offsets[i], job.lengths[i]);
                }
                host += job.lengths[i];
            }
            job.ticket = stream.mark();
        } catch (RuntimeException failed) {
            fail(lane, failed);
        }
    }

    private static boolean collect(Lane lane) {
        boolean moved = false;
        try {
            for (CopyJob job = lane.queued.peekFirst(); job != null; job = lane.queued.peekFirst()) {
                DeviceStream stream = lane.stream;
                if (stream == null || !stream.isDone(job.ticket)) {
                    break;
                }
                lane.queued.removeFirst();
                job.ended(null);
                moved = true;
            }
        } catch (RuntimeException failed) {
            fail(lane, failed);
            moved = true;
        }
        return moved;
    }

    /** Which copy failed is not known, so all that are under way did; the stream is waited for before anyone is told. */
    private static void fail(Lane lane, RuntimeException why) {
        discard(lane);
        WeftException told = why instanceof WeftException weft
                ? weft
                : new WeftException(ErrorCode.DEVICE, "copy device memory: the driver's provider threw " + why, 0, why);
        for (CopyJob job = lane.queued.pollFirst(); job != null; job = lane.queued.pollFirst()) {
            job.ended(told);
        }
    }

    private static void discard(Lane lane) {
        DeviceStream stream = lane.stream;
        lane.stream = null;
        if (stream != null) {
            try {
                stream.close();
            } catch (RuntimeException stuck) {
                System.getLogger(Copies.class.getName())
                        .log(
                                System.Logger.Level.ERROR,
                                "WEFT-LEFT-BEHIND close a stream of device copies: " + stuck.getMessage());
            }
        }
    }
}
