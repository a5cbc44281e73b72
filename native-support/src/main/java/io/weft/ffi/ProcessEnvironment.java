package io.weft.ffi;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * The C environment of this process, which C libraries read when they are loaded and which {@link System#getenv()} does not
 * follow. Used for libraries that have no other switch.
 *
 * <p>Threading: C makes no promise about concurrent change; call before the library is loaded.
 *
 * @since 0.1
 */
public final class ProcessEnvironment {
    private static final MethodHandle GETENV =
            Foreign.libc("getenv", FunctionDescriptor.of(ValueLayout.ADDRESS, ValueLayout.ADDRESS));
    private static final MethodHandle SETENV = Foreign.libc(
            "setenv",
            FunctionDescriptor.of(
                    ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.JAVA_INT));

    private ProcessEnvironment() {}

    /**
     * Sets a variable unless the deployer has.
     *
     * @param name the variable
     * @param value its value
     * @return the value that holds now
     */
    public static String setIfAbsent(String name, String value) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment key = arena.allocateFrom(name);
            MemorySegment text = arena.allocateFrom(value);
            int rc = (int) SETENV.invokeExact(key, text, 0);
            MemorySegment now = (MemorySegment) GETENV.invokeExact(key);
            return rc == 0 ? Foreign.string(now, 4096) : "";
        } catch (Throwable thrown) {
            throw Foreign.unexpected(thrown);
        }
    }
}
