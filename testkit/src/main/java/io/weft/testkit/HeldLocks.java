package io.weft.testkit;

import java.lang.management.LockInfo;
import java.lang.management.ManagementFactory;
import java.lang.management.MonitorInfo;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Looks for locks that the calling thread holds while it calls into a backend. Virtual threads are not seen by the management
 * bean and are not checked.
 */
final class HeldLocks {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    /** Looking walks the heap, so it is done as often as costs a twentieth of the time. */
    private static final int SHARE = 20;

    private static final AtomicLong NEXT_LOOK = new AtomicLong(System.nanoTime());

    private HeldLocks() {}

    /** Looks now and then. */
    static Optional<String> sample() {
        long due = NEXT_LOOK.get();
        long start = System.nanoTime();
        if (start - due < 0 || !NEXT_LOOK.compareAndSet(due, Long.MAX_VALUE / 2 + start)) {
            return Optional.empty();
        }
        Optional<String> held = ofWeft();
        long end = System.nanoTime();
        NEXT_LOOK.set(end + SHARE * (end - start));
        return held;
    }

    /** Monitors entered in Weft's own frames, and any held {@code java.util.concurrent} lock. */
    private static Optional<String> ofWeft() {
        if (Thread.currentThread().isVirtual()) {
            return Optional.empty();
        }
        ThreadInfo[] infos =
                THREADS.getThreadInfo(new long[] {Thread.currentThread().threadId()}, true, true);
        ThreadInfo info = infos[0];
        if (info == null) {
            return Optional.empty();
        }
        for (MonitorInfo monitor : info.getLockedMonitors()) {
            String frame = monitor.getLockedStackFrame().getClassName();
            if (frame.startsWith("io.weft.") && !frame.startsWith("io.weft.testkit.")) {
                return Optional.of("monitor of " + monitor.getClassName() + " entered in " + frame);
            }
        }
        for (LockInfo lock : info.getLockedSynchronizers()) {
            // A pool's worker is "locked" while it runs a task; that is no lock of core's.
            if (!lock.getClassName().equals("java.util.concurrent.ThreadPoolExecutor$Worker")) {
                return Optional.of("lock " + lock);
            }
        }
        return Optional.empty();
    }
}
