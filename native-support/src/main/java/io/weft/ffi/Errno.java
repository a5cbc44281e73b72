package io.weft.ffi;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.util.Map;

/**
 * errno of downcalls, kept before the virtual machine can overwrite it, and its names.
 *
 * <p>Threading: safe from any thread; a capture segment belongs to one thread at a time.
 *
 * @since 0.1
 */
public final class Errno {
    /** Operation not permitted. */
    public static final int EPERM = 1;
    /** No such file, device or entry. */
    public static final int ENOENT = 2;
    /** Interrupted. */
    public static final int EINTR = 4;
    /** Input or output error. */
    public static final int EIO = 5;
    /** Try again. */
    public static final int EAGAIN = 11;
    /** Out of memory, or over a limit of pinned memory. */
    public static final int ENOMEM = 12;
    /** Permission denied. */
    public static final int EACCES = 13;
    /** Busy. */
    public static final int EBUSY = 16;
    /** Invalid argument. */
    public static final int EINVAL = 22;
    /** Function not implemented. */
    public static final int ENOSYS = 38;
    /** Operation not supported. */
    public static final int EOPNOTSUPP = 95;

    /** Makes a downcall take a capture segment as its first parameter (after a function pointer, if any). */
    public static final Linker.Option CAPTURE = Linker.Option.captureCallState("errno");

    private static final StructLayout STATE = Linker.Option.captureStateLayout();
    private static final VarHandle VALUE = STATE.varHandle(PathElement.groupElement("errno"));
    private static final MethodHandle STRERROR = Foreign.libc(
            "strerror_r",
            FunctionDescriptor.of(
                    ValueLayout.ADDRESS, ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_LONG));
    private static final Map<Integer, String> NAMES = Map.ofEntries(
            Map.entry(1, "EPERM"),
            Map.entry(2, "ENOENT"),
            Map.entry(4, "EINTR"),
            Map.entry(5, "EIO"),
            Map.entry(6, "ENXIO"),
            Map.entry(9, "EBADF"),
            Map.entry(11, "EAGAIN"),
            Map.entry(12, "ENOMEM"),
            Map.entry(13, "EACCES"),
            Map.entry(14, "EFAULT"),
            Map.entry(16, "EBUSY"),
            Map.entry(17, "EEXIST"),
            Map.entry(19, "ENODEV"),
            Map.entry(22, "EINVAL"),
            Map.entry(23, "ENFILE"),
            Map.entry(24, "EMFILE"),
            Map.entry(28, "ENOSPC"),
            Map.entry(32, "EPIPE"),
            Map.entry(38, "ENOSYS"),
            Map.entry(61, "ENODATA"),
            Map.entry(90, "EMSGSIZE"),
            Map.entry(95, "EOPNOTSUPP"),
            Map.entry(98, "EADDRINUSE"),
            Map.entry(99, "EADDRNOTAVAIL"),
            Map.entry(100, "ENETDOWN"),
            Map.entry(101, "ENETUNREACH"),
            Map.entry(103, "ECONNABORTED"),
            Map.entry(104, "ECONNRESET"),
            Map.entry(107, "ENOTCONN"),
            Map.entry(110, "ETIMEDOUT"),
            Map.entry(111, "ECONNREFUSED"),
            Map.entry(113, "EHOSTUNREACH"),
            Map.entry(125, "ECANCELED"));

    private Errno() {}

    /**
     * Allocates a segment for {@link #CAPTURE}.
     *
     * @param arena owner of the segment
     * @return a segment to pass to downcalls
     */
    public static MemorySegment allocate(Arena arena) {
        return arena.allocate(STATE);
    }

    /**
     * errno after a call.
     *
     * @param capture the segment passed to the call
     * @return the number
     */
    public static int get(MemorySegment capture) {
        return (int) VALUE.get(capture, 0L);
    }

    /**
     * Explains a number.
     *
     * @param errno a positive errno
     * @return such as {@code EACCES (13): Permission denied}
     */
    public static String describe(int errno) {
        String name = NAMES.get(errno);
        String text = text(errno);
        return name == null ? "errno " + errno + ": " + text : name + " (" + errno + "): " + text;
    }

    private static String text(int errno) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment buffer = arena.allocate(128);
            MemorySegment text = (MemorySegment) STRERROR.invokeExact(errno, buffer, 128L);
            return Foreign.string(text, 128);
        } catch (Throwable thrown) {
            throw Foreign.unexpected(thrown);
        }
    }
}
