package io.weft.tck.rules;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * What this process holds.
 *
 * @param threads platform threads, without those of the JDK's pools that come and go
 * @param files open files and sockets, 0 where the system does not tell
 */
record Leftovers(long threads, long files) {
    private static final Path OPEN_FILES = Path.of("/proc/self/fd");

    static Leftovers now() {
        long threads = Thread.getAllStackTraces().keySet().stream()
                .filter(t ->
                        !t.getName().startsWith("ForkJoinPool") && !t.getName().startsWith("VirtualThread"))
                .filter(t -> !t.getName().startsWith("process reaper")
                        && !t.getName().startsWith("Cleaner-"))
                .count();
        return new Leftovers(threads, openFiles());
    }

    private static long openFiles() {
        if (!Files.isDirectory(OPEN_FILES)) {
            return 0;
        }
        try (Stream<Path> open = Files.list(OPEN_FILES)) {
            return open.count();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    boolean isWithin(Leftovers before, int more) {
        return threads <= before.threads + more && files <= before.files + more;
    }
}
