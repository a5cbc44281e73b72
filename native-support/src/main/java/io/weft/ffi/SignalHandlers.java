package io.weft.ffi;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The handlers of the signals that the virtual machine lives by, to see whether loading a library took one away. A JVM without
 * its SIGSEGV handler dies at the next safepoint; one without SIGTERM runs no shutdown hooks.
 *
 * <p>Immutable; safe from any thread. Linux on 64-bit processors: {@code struct sigaction} is treated as opaque, but for its
 * first word, the handler.
 *
 * @since 0.1
 */
public final class SignalHandlers {
    private static final Map<Integer, String> WATCHED = new TreeMap<>(
            Map.of(2, "SIGINT", 4, "SIGILL", 7, "SIGBUS", 8, "SIGFPE", 11, "SIGSEGV", 13, "SIGPIPE", 15, "SIGTERM"));
    /** glibc's struct has 152 bytes; some room costs nothing. */
    private static final int STRUCT_BYTES = 256;

    private static final MethodHandle SIGACTION = Foreign.libc(
            "sigaction",
            FunctionDescriptor.of(
                    ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS));

    private final Map<Integer, byte[]> saved;

    private SignalHandlers(Map<Integer, byte[]> saved) {
        this.saved = saved;
    }

    /**
     * Takes the present state.
     *
     * @return the handlers now
     */
    public static SignalHandlers now() {
        Map<Integer, byte[]> all = new TreeMap<>();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment old = arena.allocate(STRUCT_BYTES, 8);
            for (int signal : WATCHED.keySet()) {
                int rc = (int) SIGACTION.invokeExact(signal, MemorySegment.NULL, old);
                if (rc == 0) {
                    all.put(signal, old.toArray(ValueLayout.JAVA_BYTE));
                }
            }
        } catch (Throwable thrown) {
            throw Foreign.unexpected(thrown);
        }
        return new SignalHandlers(all);
    }

    /**
     * Puts back every handler that differs now from this state.
     *
     * @return a line for each one that had been taken, naming signal and taker; empty if none
     */
    public List<String> restore() {
        SignalHandlers now = now();
        List<String> taken = new ArrayList<>();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment action = arena.allocate(STRUCT_BYTES, 8);
            for (Map.Entry<Integer, byte[]> entry : saved.entrySet()) {
                byte[] present = now.saved.get(entry.getKey());
                if (present == null || handler(present) == handler(entry.getValue())) {
                    continue;
                }
                MemorySegment.copy(entry.getValue(), 0, action, ValueLayout.JAVA_BYTE, 0, STRUCT_BYTES);
                int signal = entry.getKey();
                int rc = (int) SIGACTION.invokeExact(signal, action, MemorySegment.NULL);
                taken.add(WATCHED.get(signal) + " was taken by " + ownerOf(handler(present))
                        + (rc == 0 ? " and given back" : " and could not be given back"));
            }
        } catch (Throwable thrown) {
            throw Foreign.unexpected(thrown);
        }
        return taken;
    }

    private static long handler(byte[] action) {
        return MemorySegment.ofArray(action).get(ValueLayout.JAVA_LONG_UNALIGNED, 0);
    }

    private static String ownerOf(long address) {
        if (address == 0 || address == 1) {
            return address == 0 ? "the default action" : "ignoring it";
        }
        try {
            for (String line : Files.readAllLines(Path.of("/proc/self/maps"))) {
                int dash = line.indexOf('-');
                int space = line.indexOf(' ');
                long from = Long.parseUnsignedLong(line, 0, dash, 16);
                long to = Long.parseUnsignedLong(line, dash + 1, space, 16);
                if (Long.compareUnsigned(address, from) >= 0 && Long.compareUnsigned(address, to) < 0) {
                    return line.substring(line.lastIndexOf(' ') + 1);
                }
            }
        } catch (IOException unreadable) {
            return "an unknown library (/proc/self/maps: " + unreadable.getMessage() + ")";
        }
        return "an unknown library";
    }
}
