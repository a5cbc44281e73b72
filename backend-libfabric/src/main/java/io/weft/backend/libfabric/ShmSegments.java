package io.weft.backend.libfabric;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The segments that the shm provider makes in /dev/shm for this process, recorded so that a later process can remove those of one that
 * was killed: the provider leaves them there, some 16 MiB each.
 *
 * <p>Beside them lies a directory per user, in it one per process, named by pid namespace, pid and start time, and in it a file per
 * segment that holds the segment's inode. Only what is recorded so, belongs to this user and is the very file that was recorded goes,
 * and only if the process is gone: a pid that was given away again has another start time, one of another container another namespace.
 *
 * <p>Thread-safe; calls touch the file system. Trouble with it is logged and costs nothing but the clearing away.
 */
final class ShmSegments {
    private static final Path SELF = Path.of("/proc/self");

    private final Path shm;
    private final Path proc;

    /**
     * A record in a place of its own.
     *
     * @param shm where the segments lie
     * @param proc where the system tells of processes
     */
    ShmSegments(Path shm, Path proc) {
        this.shm = shm;
        this.proc = proc;
    }

    static ShmSegments ofThisHost() {
        return new ShmSegments(Path.of("/dev/shm"), Path.of("/proc"));
    }

    /** Notes a segment of this process by its endpoint's name; one that is no file in the place of the segments is passed over. */
    void created(byte[] endpointName) {
        try {
            Path segment = segment(endpointName);
            if (Files.isRegularFile(segment, LinkOption.NOFOLLOW_LINKS)) {
                privately(records());
                Path record = ofThisProcess();
                privately(record);
                Files.writeString(
                        record.resolve(segment.getFileName()),
                        Long.toString(inode(segment, LinkOption.NOFOLLOW_LINKS)));
            }
        } catch (IOException | RuntimeException failed) {
            complain("recording a segment of shm", failed);
        }
    }

    /** Forgets a segment that the provider has removed. */
    void closed(byte[] endpointName) {
        try {
            Files.deleteIfExists(ofThisProcess().resolve(segment(endpointName).getFileName()));
        } catch (IOException | RuntimeException failed) {
            complain("forgetting a segment of shm", failed);
        }
    }

    /**
     * Removes what processes of this user that are gone have left.
     *
     * @return the segments removed
     */
    List<Path> sweep() {
        try {
            Path records = records();
            if (!isOurs(records)) {
                return List.of();
            }
            String namespace = namespace() + "-";
            try (Stream<Path> processes = Files.list(records)) {
                return processes
                        .filter(one -> one.getFileName().toString().startsWith(namespace))
                        .filter(one -> !isAlive(one.getFileName().toString().substring(namespace.length())))
                        .flatMap(one -> remove(one).stream())
                        .toList();
            }
        } catch (IOException | RuntimeException failed) {
            complain("removing segments of shm that killed processes left", failed);
            return List.of();
        }
    }

    private List<Path> remove(Path record) {
        List<Path> removed = new ArrayList<>();
        try (DirectoryStream<Path> marks = Files.newDirectoryStream(record)) {
            for (Path mark : marks) {
                Path segment = shm.resolve(mark.getFileName());
                if (isRecorded(segment, mark) && Files.deleteIfExists(segment)) {
                    removed.add(segment);
                }
                Files.deleteIfExists(mark);
            }
            Files.deleteIfExists(record);
        } catch (NoSuchFileException another) {
            // Another process clears away the same record.
        } catch (IOException failed) {
            complain("removing " + record, failed);
        }
        return removed;
    }

    private boolean isRecorded(Path segment, Path mark) {
        try {
            return Files.isRegularFile(segment, LinkOption.NOFOLLOW_LINKS)
                    && isOurs(segment)
                    && Files.readString(mark).equals(Long.toString(inode(segment, LinkOption.NOFOLLOW_LINKS)));
        } catch (IOException goneMeanwhile) {
            return false;
        }
    }

    /** Whether the process still runs that began at the same time. */
    private boolean isAlive(String pidAndStart) {
        String pid = pidAndStart.substring(0, pidAndStart.indexOf('-'));
        try {
            return pidAndStart.equals(pid + "-" + start(proc.resolve(pid)));
        } catch (IOException gone) {
            return false;
        }
    }

    /** An endpoint's name is {@code fi_shm://NAME} or NAME alone, NAME that of its file, and ends with a zero byte. */
    private Path segment(byte[] endpointName) {
        String whole = new String(endpointName, StandardCharsets.US_ASCII);
        int end = whole.indexOf('\0');
        String name = end < 0 ? whole : whole.substring(0, end);
        return shm.resolve(name.substring(name.lastIndexOf('/') + 1));
    }

    private Path ofThisProcess() throws IOException {
        Path self = SELF.toRealPath();
        return records().resolve(namespace() + "-" + self.getFileName() + "-" + start(self));
    }

    private Path records() throws IOException {
        return shm.resolve("weft-segments-" + user());
    }

    private static String namespace() throws IOException {
        return Long.toString(inode(SELF.resolve("ns/pid")));
    }

    /** Field 22 of stat(5), in clock ticks since the host started; the second field may hold anything. */
    private static String start(Path process) throws IOException {
        String stat = Files.readString(process.resolve("stat"));
        return stat.substring(stat.lastIndexOf(')') + 2).split(" ")[19];
    }

    private static boolean isOurs(Path file) throws IOException {
        return Files.exists(file, LinkOption.NOFOLLOW_LINKS)
                && (int) Files.getAttribute(file, "unix:uid", LinkOption.NOFOLLOW_LINKS) == user();
    }

    /** This process's effective user; the files of a new one are its. */
    private static int user() throws IOException {
        for (String line : Files.readAllLines(SELF.resolve("status"))) {
            if (line.startsWith("Uid:")) {
                return Integer.parseInt(line.split("\\s+")[2]);
            }
        }
        throw new IOException("/proc/self/status names no user");
    }

    private static long inode(Path file, LinkOption... options) throws IOException {
        return (long) Files.getAttribute(file, "unix:ino", options);
    }

    /** A directory that others can neither read nor fill. */
    private static void privately(Path directory) throws IOException {
        try {
            Files.createDirectory(
                    directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        } catch (FileAlreadyExistsException before) {
            if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS) || !isOurs(directory)) {
                throw before;
            }
        }
    }

    private static void complain(String what, Exception failed) {
        LibfabricBackend.LOG.log(System.Logger.Level.WARNING, "WEFT-TEARDOWN libfabric: " + what + " failed", failed);
    }
}
