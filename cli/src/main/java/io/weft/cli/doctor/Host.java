package io.weft.cli.doctor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The files by which a host tells about itself, below a root that tests set.
 *
 * @param root {@code /} on a real host
 */
public record Host(Path root) {
    /**
     * The host this process runs on.
     *
     * @return the host
     */
    public static Host local() {
        return new Host(Path.of("/"));
    }

    Path path(String path) {
        return root.resolve(path.substring(1));
    }

    boolean exists(String path) {
        return Files.exists(path(path));
    }

    /** The text of a file without the line's end; empty if it cannot be read, as some files of sysfs on some devices. */
    Optional<String> read(String path) {
        try {
            // Not readString: it begins with one byte where a file has no size, and the kernel tells a number of
            // /proc/sys in one read or not at all.
            return Optional.of(String.join("\n", Files.readAllLines(path(path))).strip());
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** A number in a file. */
    Optional<Long> number(String path) {
        try {
            return read(path).map(Long::parseLong);
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    /** Names in a directory, sorted; none if it is not there. */
    List<String> list(String path) {
        try (Stream<Path> entries = Files.list(path(path))) {
            return entries.map(p -> p.getFileName().toString()).sorted().toList();
        } catch (IOException e) {
            return List.of();
        }
    }

    /** The text after a label at the start of a line, as in {@code /proc/meminfo}. */
    Optional<String> labelled(String path, String label) {
        return read(path).stream()
                .flatMap(String::lines)
                .filter(line -> line.startsWith(label))
                .map(line -> line.substring(label.length()).strip())
                .findFirst();
    }
}
