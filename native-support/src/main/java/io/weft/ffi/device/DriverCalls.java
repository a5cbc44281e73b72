package io.weft.ffi.device;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.weft.ffi.Foreign;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * The C signatures that GPU drivers use, each with a handle that takes the function's address. All return the driver's
 * status. Device pointers, streams, events and contexts travel as {@code long}.
 */
final class DriverCalls {
    private static final MethodHandle I = shape(JAVA_INT);
    private static final MethodHandle L = shape(JAVA_LONG);
    private static final MethodHandle P = shape(ADDRESS);
    private static final MethodHandle NONE = shape();
    private static final MethodHandle NAME = Foreign.shape(FunctionDescriptor.of(ADDRESS, JAVA_INT));
    private static final MethodHandle IP = shape(JAVA_INT, ADDRESS);
    private static final MethodHandle II = shape(JAVA_INT, JAVA_INT);
    private static final MethodHandle LL = shape(JAVA_LONG, JAVA_LONG);
    private static final MethodHandle PI = shape(ADDRESS, JAVA_INT);
    private static final MethodHandle PL = shape(ADDRESS, JAVA_LONG);
    private static final MethodHandle PII = shape(ADDRESS, JAVA_INT, JAVA_INT);
    private static final MethodHandle PIL = shape(ADDRESS, JAVA_INT, JAVA_LONG);
    private static final MethodHandle PPL = shape(ADDRESS, ADDRESS, JAVA_LONG);
    private static final MethodHandle LLLL = shape(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle LLLIL = shape(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG);
    private static final MethodHandle PLLIL = shape(ADDRESS, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG);

    private DriverCalls() {}

    private static MethodHandle shape(MemoryLayout... arguments) {
        return Foreign.shape(FunctionDescriptor.of(JAVA_INT, arguments));
    }

    static int call(MemorySegment f, int a) {
        try {
            return (int) I.invokeExact(f, a);
        } catch (Throwable thrown) {
            throw Foreign.unexpected(thrown);
        }
    }

    static int call(MemorySegment f, long a) {
        try {
            return (int) L.invokeExact(f, a);
        } catch (Throwable thrown) {
            throw Foreign.unexpected(thrown);
        }
    }

    static int call(MemorySegment f, MemorySegment out) {
        try {
            return (int) P.invokeExact(f, out);
        } catch (Throwable thrown) {
            throw Foreign.unexpected(thrown);
        }
    }

    static int call(MemorySegment f, int a, int b) {
        try {
            return (int) II.invokeExact(f, a, b);
        } catch (Throwable thrown) {
            throw Foreign.unexpected(thrown);
        }
    }

    static int call(MemorySegment f, long a, long b) {
        try {
            return (int) LL.invokeExact(f, a, b);
        } catch (Throwable thrown) {
            throw Foreign.unexpected(thrown);
        }
    }

    static int call(MemorySegment f, MemorySegment out, int a) {
        try {
            return (int) PI.invokeExact(f, out, a);
        } catch (Throwable thrown) {
            throw Foreign.unexpected(thrown);
        }
    }

    static int call(MemorySegment f, MemorySegment out, long a) {
        try {
            return (int) PL.invokeExact(f, out, a);
        } catch (Throwable thrown) {
            throw Foreign.unexpected(thrown);
        }
    }

    static int call(MemorySegment f, MemorySegment out, int a, int b) {
        try {
            return (int) PII.invokeExact(f, out, a, b);
        } catch (Throwable thrown) {
            throw Foreign.unexpected(thrown);
        }
    }

    static int call(MemorySegment f, MemorySegment out, int a, long b) {
        try {
            return (int) PIL.invokeExact(f, out, a, b);
        } catch (Throwable thrown) {
            throw Foreign.unexpected(thrown);
        }
    }

    static int call(MemorySegment f, MemorySegment out, MemorySegment out2, long a) {
        try {
            return (int) PPL.invokeExact(f, out, out2, a);
        } catch (Throwable thrown) {
            throw Foreign.unexpected(thrown);
        }
    }

    static int call(MemorySegment f, long a, long b, long c, long d) {
        try {
            return (int) LLLL.invokeExact(f, a, b, c, d);
        } catch (Throwable thrown) {
            throw Foreign.unexpected(thrown);
        }
    }

    static int call(MemorySegment f, long a, long b, long c, int d, long e) {
        try {
            return (int) LLLIL.invokeExact(f, a, b, c, d, e);
        } catch (Throwable thrown) {
            throw Foreign.unexpected(thrown);
        }
    }

    static int call(MemorySegment f, MemorySegment out, long a, long b, int c, long d) {
        try {
            return (int) PLLIL.invokeExact(f, out, a, b, c, d);
        } catch (Throwable thrown) {
            throw Foreign.unexpected(thrown);
        }
    }

    static int describe(MemorySegment f, int status, MemorySegment out) {
        try {
            return (int) IP.invokeExact(f, status, out);
        } catch (Throwable thrown) {
            throw Foreign.unexpected(thrown);
        }
    }

    static MemorySegment name(MemorySegment f, int status) {
        try {
            return (MemorySegment) NAME.invokeExact(f, status);
        } catch (Throwable thrown) {
            throw Foreign.unexpected(thrown);
        }
    }

    static int call(MemorySegment f) {
        try {
            return (int) NONE.invokeExact(f);
        } catch (Throwable thrown) {
            throw Foreign.unexpected(thrown);
        }
    }
}
