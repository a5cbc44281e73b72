package io.weft.backend.tcp;

import io.weft.spi.EngineClock;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A thread that serves many connections. All reading happens here, so when a {@linkplain #barrier barrier} has passed,
 * nothing that was switched off before it is still inside a region.
 *
 * <p>Waiting adapts: after work it spins and yields for a while if that paid lately, then blocks in the selector.
 */
final class Reactor {
    private static final System.Logger LOG = System.getLogger(Reactor.class.getName());
    private static final long TICK_MILLIS = 250;

    private final Selector selector;
    private final EngineClock clock;
    private final long spinNanos;
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final Set<Connection> connections = new LinkedHashSet<>();
    private final Set<Connection> ticking = new LinkedHashSet<>();
    private final Consumer<SelectionKey> dispatch = this::dispatch;
    /** As {@link #dispatch}, and notes when the first event came. */
    private final Consumer<SelectionKey> timed = this::dispatchTimed;

    private final SlabPool.Slab inbox;
    private final Thread thread;
    private volatile boolean stopping;
    /** True while the thread is or is about to be blocked, so that others know whether to wake it. */
    private volatile boolean blocked;

    private boolean spinPays = true;
    private boolean bulk;
    private long woken;
    private long nextTick;

    Reactor(ThreadFactory threads, EngineClock clock, long spinNanos, SlabPool slabs) throws IOException {
        this.selector = Selector.open();
        this.clock = clock;
        this.spinNanos = spinNanos;
        this.inbox = slabs.borrow();
        this.thread = threads.newThread(this::run);
        thread.start();
    }

    /** Where any handler of this reactor reads into; empty between calls. */
    ByteBuffer inbox() {
        return inbox.buffer;
    }

    /** The same memory as {@link #inbox}. */
    MemorySegment inboxMemory() {
        return inbox.memory;
    }

    boolean isCurrent() {
        return Thread.currentThread() == thread;
    }

    /** Runs a task on the reactor's thread; refused, by false, once it has stopped. */
    boolean execute(Runnable task) {
        if (stopping && !isCurrent()) {
            return false;
        }
        tasks.add(task);
        wakeupIfForeign();
        return true;
    }

    void wakeupIfForeign() {
        if (blocked && !isCurrent()) {
            selector.wakeup();
        }
    }

    /** Waits until all that the reactor began before this call has ended; false if the deadline passed first. */
    boolean barrier(long deadlineNanos) {
        if (isCurrent()) {
            return true;
        }
        CountDownLatch passed = new CountDownLatch(1);
        if (!execute(passed::countDown)) {
            return join(deadlineNanos);
        }
        return Waiting.await(passed, clock, deadlineNanos);
    }

    SelectionKey register(SocketChannel channel, int interest, Connection connection) throws IOException {
        SelectionKey key = channel.register(selector, interest, connection);
        connections.add(connection);
        return key;
    }

    void forget(Connection connection) {
        connections.remove(connection);
    }

    void tick(Connection connection, boolean on) {
        if (on) {
            ticking.add(connection);
        } else {
            ticking.remove(connection);
        }
    }

    /** Ends the thread; true when it is gone. */
    boolean stop(long deadlineNanos) {
        stopping = true;
        selector.wakeup();
        return join(deadlineNanos);
    }

    private boolean join(long deadlineNanos) {
        boolean interrupted = false;
        long left = deadlineNanos - clock.nanos();
        while (thread.isAlive() && left > 0) {
            try {
                thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(left)));
            } catch (InterruptedException again) {
                interrupted = true;
            }
            left = deadlineNanos - clock.nanos();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return !thread.isAlive();
    }

    private void run() {
        Throwable cause = new IOException("the tcp backend was closed");
        try {
            while (!stopping) {
                turn();
            }
        } catch (IOException | ClosedSelectorException broken) {
            cause = broken;
            LOG.log(
                    Level.ERROR,
                    "WEFT-SELECTOR tcp reactor " + thread.getName() + " ended: its selector failed",
                    broken);
        } finally {
            stopping = true;
            for (Connection connection : List.copyOf(connections)) {
                connection.reset(cause);
            }
            runTasks();
            try {
                selector.close();
            } catch (IOException alreadyClosed) {
                LOG.log(Level.DEBUG, "closing a selector", alreadyClosed);
            }
        }
    }

    private void turn() throws IOException {
        runTasks();
        ticks();
        if (!spinPays || bulk) {
            bulk = false;
            block();
            return;
        }
        long idleSince = System.nanoTime();
        while (!stopping && selector.selectNow(dispatch) == 0 && tasks.isEmpty()) {
            if (System.nanoTime() - idleSince > spinNanos) {
                block();
                return;
            }
            Thread.yield();
        }
    }

    private void block() throws IOException {
        blocked = true;
        try {
            if (tasks.isEmpty() && !stopping) {
                long before = System.nanoTime();
                selector.select(timed, ticking.isEmpty() ? 0 : TICK_MILLIS);
                woken = blocked ? System.nanoTime() : woken;
                spinPays = woken - before < 2 * spinNanos;
            }
        } finally {
            blocked = false;
        }
    }

    /** A busy stream was served: spinning now would only take the other side's processor. */
    void bulk() {
        bulk = true;
    }

    private boolean runTasks() {
        boolean any = false;
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            any = true;
            try {
                task.run();
            } catch (RuntimeException defect) {
                LOG.log(Level.ERROR, "WEFT-DEFECT a task of the tcp reactor failed", defect);
            }
        }
        return any;
    }

    private void ticks() {
        if (ticking.isEmpty()) {
            return;
        }
        long now = clock.nanos();
        if (now - nextTick < 0) {
            return;
        }
        nextTick = now + TimeUnit.MILLISECONDS.toNanos(TICK_MILLIS);
        for (Connection connection : new ArrayList<>(ticking)) {
            try {
                connection.handler().onTick(now);
            } catch (IOException | RuntimeException failed) {
                fail(connection, failed);
            }
        }
    }

    private void dispatchTimed(SelectionKey key) {
        if (blocked) {
            blocked = false;
            woken = System.nanoTime();
        }
        dispatch(key);
    }

    private void dispatch(SelectionKey key) {
        Connection connection = (Connection) key.attachment();
        if (connection == null || connection.isClosed()) {
            return;
        }
        try {
            connection.dispatch(key);
        } catch (IOException | RuntimeException failed) {
            fail(connection, failed);
        }
    }

    private static void fail(Connection connection, Exception failed) {
        if (failed instanceof RuntimeException) {
            LOG.log(Level.ERROR, "WEFT-DEFECT a tcp connection failed by a defect and is closed", failed);
        }
        connection.reset(failed);
    }
}
