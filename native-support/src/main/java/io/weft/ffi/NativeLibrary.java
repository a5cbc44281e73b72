package io.weft.ffi;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Optional;

/**
 * A loaded shared library. It stays loaded until the process ends: libraries of fabrics start threads and register exit
 * handlers, so unloading one is never safe.
 *
 * <p>Immutable; safe from any thread.
 *
 * @since 0.1
 */
public final class NativeLibrary {
    private static final MethodHandle DLSYM =
            Foreign.libc("dlsym", FunctionDescriptor.of(ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS));

    private final String name;
    private final String path;
    private final MemorySegment handle;

    NativeLibrary(String name, String path, MemorySegment handle) {
        this.name = name;
        this.path = path;
        this.handle = handle;
    }

    /**
     * The name or path by which it was found.
     *
     * @return such as {@code libibverbs.so.1}
     */
    public String name() {
        return name;
    }

    /**
     * The file, links resolved: its name carries the package's version by convention.
     *
     * @return such as {@code /usr/lib/x86_64-linux-gnu/libibverbs.so.1.14.44.0}
     */
    public String path() {
        return path;
    }

    /**
     * The part of the file's name after {@code .so.}.
     *
     * @return such as {@code 1.14.44.0}, {@code unknown} if the name has none
     */
    public String fileVersion() {
        int at = path.lastIndexOf(".so.");
        return at < 0 ? "unknown" : path.substring(at + 4);
    }

    /**
     * Looks for a symbol, in its default version.
     *
     * @param symbol the C name
     * @return its address
     */
    public Optional<MemorySegment> find(String symbol) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment text = arena.allocateFrom(symbol);
            MemorySegment address = (MemorySegment) DLSYM.invokeExact(handle, text);
            return address.address() == 0 ? Optional.empty() : Optional.of(address);
        } catch (Throwable thrown) {
            throw Foreign.unexpected(thrown);
        }
    }

    /**
     * Makes a handle of a function.
     *
     * @param symbol the C name
     * @param signature the C signature
     * @param options linker options
     * @return the handle
     * @throws MissingSymbolException naming library and symbol
     */
    public MethodHandle function(String symbol, FunctionDescriptor signature, Linker.Option... options) {
        MemorySegment address = find(symbol).orElseThrow(() -> new MissingSymbolException(this, symbol));
        return Foreign.function(address, signature, options);
    }

    @Override
    public String toString() {
        return name.equals(path) ? name : name + " (" + path + ")";
    }
}
