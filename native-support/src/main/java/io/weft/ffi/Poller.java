package io.weft.ffi;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Blocks on file descriptors of native libraries, which NIO cannot select on, and can be woken: {@code ppoll} over the descriptors and
 * an {@code eventfd}. The descriptors stay the library's.
 *
 * <p>Threading: {@link #wakeup} from any thread; everything else by one thread. {@link #await} allocates nothing while the set of
 * descriptors stays the same size.
 *
 * @since 0.1
 */
public final class Poller implements AutoCloseable {
    private static final int EFD_NONBLOCK = 0x800;
    private static final int EFD_CLOEXEC = 0x80000;
    private static final short POLLIN = 1;
    /** {@code struct pollfd { int fd; short events; short revents; }}. */
    private static final long POLLFD_BYTES = 8;

    private static final MethodHandle EVENTFD =
            Foreign.libc("eventfd", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT), Errno.CAPTURE);
    private static final MethodHandle PPOLL =
            Foreign.libc("ppoll", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));
    private static final MethodHandle READ =
            Foreign.libc("read", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG));
    private static final MethodHandle WRITE =
            Foreign.libc("write", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG));
    private static final MethodHandle CLOSE = Foreign.libc("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));

    private final Arena arena = Arena.ofShared();
    private final int event;
    private final MemorySegment timeout = arena.allocate(16, 8);
    private final MemorySegment one = arena.allocateFrom(JAVA_LONG, 1);
    private final MemorySegment drained = arena.allocate(JAVA_LONG);
    private final AtomicBoolean signalled = new AtomicBoolean();
    private MemorySegment set = arena.allocate(POLLFD_BYTES * 8, 8);
    private int capacity = 8;
    private int count;
    private final Object closing = new Object();
    private boolean closed;

    /**
     * Opens the eventfd.
     *
     * @throws IllegalStateException if the process is out of descriptors
     */
    public Poller() {
        int error = 0;
        try (Arena local = Arena.ofConfined()) {
            MemorySegment capture = Errno.allocate(local);
            event = (int) EVENTFD.invokeExact(capture, 0, EFD_NONBLOCK | EFD_CLOEXEC);
            error = Errno.get(capture);
        } catch (Throwable thrown) {
            throw Foreign.unexpected(thrown);
        }
        if (event < 0) {
            arena.close();
            throw new IllegalStateException("eventfd: " + Errno.describe(error) + "; raise the limit of open files");
        }
        put(0, event);
        count = 1;
    }

    /** Forgets all descriptors. */
    public void clear() {
        count = 1;
    }

    /**
     * Adds a descriptor to wait on for input.
     *
     * @param fd the descriptor
     * @return its index for {@link #isReady}
     */
    public int add(int fd) {
        if (count == capacity) {
            MemorySegment larger = arena.allocate(POLLFD_BYTES * capacity * 2, 8);
            MemorySegment.copy(set, 0, larger, 0, POLLFD_BYTES * capacity);
            set = larger;
            capacity *= 2;
        }
        put(count, fd);
        return count++;
    }

    /**
     * Whether a descriptor had something at the last {@link #await}.
     *
     * @param index from {@link #add}
     * @return true if readable, hung up or in error
     */
    public boolean isReady(int index) {
        return set.get(JAVA_SHORT, index * POLLFD_BYTES + 6) != 0;
    }

    /**
     * Blocks until a descriptor is readable, {@link #wakeup}, or the time is over.
     *
     * @param nanos the bound; 0 only looks
     */
    public void await(long nanos) {
        timeout.set(JAVA_LONG, 0, nanos / 1_000_000_000L);
        timeout.set(JAVA_LONG, 8, nanos % 1_000_000_000L);
        try {
            int ready = (int) PPOLL.invokeExact(set.address(), (long) count, timeout.address(), 0L);
            if (ready > 0 && isReady(0)) {
                signalled.set(false);
                long ignored = (long) READ.invokeExact(event, drained, (long) Long.BYTES);
            }
        } catch (Throwable thrown) {
            throw Foreign.unexpected(thrown);
        }
    }

    /** Makes a running or the next {@link #await} return at once. */
    public void wakeup() {
        if (!signalled.compareAndSet(false, true)) {
            return;
        }
        // Not beside close: the system gives a closed descriptor's number to the next file.
        synchronized (closing) {
            if (!closed) {
                try {
                    long ignored = (long) WRITE.invokeExact(event, one, (long) Long.BYTES);
                } catch (Throwable thrown) {
                    throw Foreign.unexpected(thrown);
                }
            }
        }
    }

    /** Closes the eventfd. No other thread may be inside {@link #await}. Idempotent. */
    @Override
    public void close() {
        synchronized (closing) {
            if (closed) {
                return;
            }
            closed = true;
            try {
                int ignored = (int) CLOSE.invokeExact(event);
            } catch (Throwable thrown) {
                throw Foreign.unexpected(thrown);
            }
            arena.close();
        }
    }

    private void put(int index, int fd) {
        long at = index * POLLFD_BYTES;
        set.set(JAVA_INT, at, fd);
        set.set(JAVA_SHORT, at + 4, POLLIN);
        set.set(JAVA_SHORT, at + 6, (short) 0);
    }
}
