package io.weft.ffi;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * File descriptors that C made.
 *
 * <p>Threading: safe from any thread.
 *
 * @since 0.1
 */
public final class FileDescriptors {
    private static final MethodHandle CLOSE =
            Foreign.libc("close", FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));

    private static final MethodHandle FCNTL = Foreign.libc(
            "fcntl",
            FunctionDescriptor.of(
                    ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT),
            Linker.Option.firstVariadicArg(2));

    private static final int F_GETFL = 3;
    private static final int F_SETFL = 4;
    private static final int O_NONBLOCK = 0x800;

    private FileDescriptors() {}

    /**
     * Closes one.
     *
     * @param fd the descriptor, not used afterwards
     * @return whether the system knew it
     */
    public static boolean close(int fd) {
        try {
            return (int) CLOSE.invokeExact(fd) == 0;
        } catch (Throwable thrown) {
            throw Foreign.unexpected(thrown);
        }
    }

    /**
     * Makes reads of one return at once, with EAGAIN when there is nothing.
     *
     * @param fd the descriptor
     * @return whether the system knew it
     */
    public static boolean setNonBlocking(int fd) {
        try {
            int flags = (int) FCNTL.invokeExact(fd, F_GETFL, 0);
            return flags >= 0 && (int) FCNTL.invokeExact(fd, F_SETFL, flags | O_NONBLOCK) == 0;
        } catch (Throwable thrown) {
            throw Foreign.unexpected(thrown);
        }
    }
}
