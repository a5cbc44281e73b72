package io.weft.ffi;

import java.lang.foreign.FunctionDescriptor;
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
}
