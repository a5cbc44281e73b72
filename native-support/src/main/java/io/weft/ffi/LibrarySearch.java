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
import java.util.Optional;

/**
 * Looks for a shared library in stated places and keeps, for each, what the dynamic loader said.
 *
 * <p>Threading: safe from any thread. Loading runs the library's constructors on the calling thread.
 *
 * @since 0.1
 */
public final class LibrarySearch {
    private static final int RTLD_NOW = 2;
    /** A constant of glibc: {@code dlinfo} writes the library's {@code struct link_map *}. */
    private static final int RTLD_DI_LINKMAP = 2;

    private static final MethodHandle DLOPEN = Foreign.libc(
            "dlopen", FunctionDescriptor.of(ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.JAVA_INT));
    private static final MethodHandle DLERROR = Foreign.libc("dlerror", FunctionDescriptor.of(ValueLayout.ADDRESS));
    private static final MethodHandle DLINFO = Foreign.libc(
            "dlinfo",
            FunctionDescriptor.of(
                    ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_INT, ValueLayout.ADDRESS));

    private final List<String> candidates;

    private LibrarySearch(List<String> candidates) {
        this.candidates = List.copyOf(candidates);
    }

    /**
     * Looks for these, in order, and nowhere else.
     *
     * @param namesOrPaths sonames, which the dynamic loader resolves by its own rules, or absolute paths
     * @return the search
     */
    public static LibrarySearch of(List<String> namesOrPaths) {
        return new LibrarySearch(namesOrPaths);
    }

    /**
     * Looks at a deployer's path if there is one, else for a soname by the loader's rules and then in directories.
     *
     * @param explicit a file, or a directory that holds the soname; empty for none
     * @param soname such as {@code libfabric.so.1}
     * @param directories where vendors put it beside the loader's path
     * @return the search
     */
    public static LibrarySearch forLibrary(String explicit, String soname, List<String> directories) {
        if (!explicit.isEmpty()) {
            Path path = Path.of(explicit);
            return of(List.of(Files.isDirectory(path) ? path.resolve(soname).toString() : explicit));
        }
        List<String> all = new ArrayList<>();
        all.add(soname);
        for (String directory : directories) {
            all.add(Path.of(directory, soname).toString());
        }
        return of(all);
    }

    /**
     * One place and what came of it.
     *
     * @param place the soname or path
     * @param error the loader's text, empty if it was loaded
     * @since 0.1
     */
    public record Attempt(String place, String error) {
        @Override
        public String toString() {
            return error.isEmpty() ? place + ": loaded" : place + ": " + error;
        }
    }

    /**
     * What a search found.
     *
     * @param library the first library that could be loaded
     * @param attempts every place tried, in order, the successful one last
     * @since 0.1
     */
    public record Result(Optional<NativeLibrary> library, List<Attempt> attempts) {
        /** Copies the list. */
        public Result {
            attempts = List.copyOf(attempts);
        }

        /**
         * The attempts as lines of evidence.
         *
         * @return a line each
         */
        public List<String> lines() {
            return attempts.stream().map(Attempt::toString).toList();
        }
    }

    /**
     * Tries each place until one loads.
     *
     * @return the library, or why each place failed; never throws for a missing or broken library
     */
    public Result run() {
        List<Attempt> attempts = new ArrayList<>();
        for (String place : candidates) {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment text = arena.allocateFrom(place);
                MemorySegment handle = (MemorySegment) DLOPEN.invokeExact(text, RTLD_NOW);
                if (handle.address() != 0) {
                    attempts.add(new Attempt(place, ""));
                    return new Result(Optional.of(new NativeLibrary(place, fileOf(handle, place), handle)), attempts);
                }
                MemorySegment error = (MemorySegment) DLERROR.invokeExact();
                attempts.add(new Attempt(place, withoutPrefix(Foreign.string(error, 1024), place)));
            } catch (Throwable thrown) {
                throw Foreign.unexpected(thrown);
            }
        }
        return new Result(Optional.empty(), attempts);
    }

    private static String withoutPrefix(String error, String place) {
        String prefix = place + ": ";
        String text = error.startsWith(prefix) ? error.substring(prefix.length()) : error;
        return text.isEmpty() ? "the loader gave no reason" : text;
    }

    private static String fileOf(MemorySegment handle, String place) throws Throwable {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(ValueLayout.ADDRESS);
            int rc = (int) DLINFO.invokeExact(handle, RTLD_DI_LINKMAP, out);
            if (rc != 0) {
                return place;
            }
            // struct link_map { ElfW(Addr) l_addr; char *l_name; ... }
            MemorySegment map = Foreign.view(out.get(ValueLayout.ADDRESS, 0), 16);
            String file = Foreign.string(map.get(ValueLayout.ADDRESS, 8), 4096);
            try {
                return file.isEmpty() ? place : Path.of(file).toRealPath().toString();
            } catch (IOException deletedSinceLoaded) {
                return file;
            }
        }
    }
}
