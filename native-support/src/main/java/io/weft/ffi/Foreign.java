package io.weft.ffi;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * The restricted methods of java.lang.foreign that Weft uses, in one place.
 *
 * <p>Threading: safe from any thread. A wrong address or signature ends the process; callers are bindings whose layouts are
 * tested against the C compiler.
 *
 * @since 0.1
 */
@SuppressWarnings("restricted") // this class exists to be the only one that needs it
public final class Foreign {
    private static final Linker LINKER = Linker.nativeLinker();
    private static final SymbolLookup LIBC = LINKER.defaultLookup();

    private Foreign() {}

    /**
     * Makes a handle of a function at a known address.
     *
     * @param address the function
     * @param signature its C signature
     * @param options linker options; {@code critical} only for calls that neither block nor call back
     * @return a handle whose parameters are those of the signature, after the capture segment if errno is captured
     */
    public static MethodHandle function(MemorySegment address, FunctionDescriptor signature, Linker.Option... options) {
        return LINKER.downcallHandle(address, signature, options);
    }

    /**
     * Makes a handle of a signature, to call through function pointers. Kept in a {@code static final} field it stays a
     * constant for the compiler whatever the pointer is.
     *
     * @param signature the C signature
     * @param options linker options
     * @return a handle whose first parameter is the address of the function
     */
    public static MethodHandle shape(FunctionDescriptor signature, Linker.Option... options) {
        return LINKER.downcallHandle(signature, options);
    }

    /**
     * Makes a handle of a function of the C library.
     *
     * @param name such as {@code sigaction}
     * @param signature its C signature
     * @param options linker options
     * @return a handle
     * @throws UnsatisfiedLinkError if the C library lacks it
     */
    public static MethodHandle libc(String name, FunctionDescriptor signature, Linker.Option... options) {
        MemorySegment address = findInLibc(name)
                .orElseThrow(() -> new UnsatisfiedLinkError("the C library of this process has no function " + name));
        return LINKER.downcallHandle(address, signature, options);
    }

    /**
     * Looks for a function of the C library.
     *
     * @param name such as {@code dlopen}
     * @return its address
     */
    public static Optional<MemorySegment> findInLibc(String name) {
        return LIBC.find(name);
    }

    /**
     * Gives a pointer a length, so that it can be read and written.
     *
     * @param pointer an address from C, not null
     * @param bytes how much of it is known to be valid
     * @return a segment of the global scope
     * @throws IllegalArgumentException for a null pointer
     */
    public static MemorySegment view(MemorySegment pointer, long bytes) {
        if (pointer.address() == 0) {
            throw new IllegalArgumentException("null pointer where " + bytes + " bytes were expected");
        }
        return pointer.reinterpret(bytes);
    }

    /**
     * As {@link #view(MemorySegment, long)} for a plain address.
     *
     * @param address an address from C, not 0
     * @param bytes how much of it is known to be valid
     * @return a segment of the global scope
     */
    public static MemorySegment view(long address, long bytes) {
        return view(MemorySegment.ofAddress(address), bytes);
    }

    /**
     * Copies a C string.
     *
     * @param pointer a zero-terminated UTF-8 string or null
     * @param most bytes read at most, the zero included
     * @return the text, empty for a null pointer; cut at {@code most} if no zero came before
     */
    public static String string(MemorySegment pointer, int most) {
        if (pointer.address() == 0) {
            return "";
        }
        MemorySegment bytes = pointer.reinterpret(most);
        int length = 0;
        while (length < most && bytes.get(ValueLayout.JAVA_BYTE, length) != 0) {
            length++;
        }
        byte[] copy = new byte[length];
        MemorySegment.copy(bytes, ValueLayout.JAVA_BYTE, 0, copy, 0, length);
        return new String(copy, StandardCharsets.UTF_8);
    }

    /**
     * The failure of a downcall that C cannot have caused: wrong argument types for a handle, or a VM error.
     *
     * @param thrown what invokeExact threw
     * @return never
     */
    public static AssertionError unexpected(Throwable thrown) {
        if (thrown instanceof VirtualMachineError error) {
            throw error;
        }
        return new AssertionError("a downcall threw, which C cannot do", thrown);
    }
}
