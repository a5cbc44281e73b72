package io.weft.backend.libfabric;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30)
class ShmSegmentsTest {
    private static final Path LIVING = Path.of("/proc");

    @TempDir
    Path shm;

    /** In its eyes this process is gone. */
    @TempDir
    Path noProcesses;

    private Path segment;

    @BeforeEach
    void recordOne() throws IOException {
        segment = Files.writeString(shm.resolve("77:0:1"), "segment");
        new ShmSegments(shm, LIVING).created(name("fi_shm://77:0:1\0"));
    }

    private static byte[] name(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private ShmSegments later() {
        return new ShmSegments(shm, noProcesses);
    }

    @Test
    void removesWhatAKilledProcessLeftAndItsRecord() {
        assertThat(later().sweep()).containsExactly(segment);
        assertThat(segment).doesNotExist();
        assertThat(shm.resolve("weft-segments-" + userId())).isEmptyDirectory();
        assertThat(later().sweep()).isEmpty();
    }

    private Object userId() {
        try {
            return Files.getAttribute(noProcesses, "unix:uid");
        } catch (IOException failed) {
            throw new AssertionError(failed);
        }
    }

    @Test
    void leavesWhatALivingProcessUses() {
        assertThat(new ShmSegments(shm, LIVING).sweep()).isEmpty();
        assertThat(segment).exists();
    }

    @Test
    void knowsAPidThatWasGivenAwayAgainByItsStartTime() throws IOException {
        Path again = Files.createDirectory(
                noProcesses.resolve(Long.toString(ProcessHandle.current().pid())));
        Files.writeString(again.resolve("stat"), "1 (any (thing) S) " + "7 ".repeat(40));

        assertThat(later().sweep()).containsExactly(segment);
    }

    @Test
    void leavesAnotherFileOfTheSameName() throws IOException {
        Path other = Files.writeString(shm.resolve("other"), "another process's");
        Files.move(other, segment, java.nio.file.StandardCopyOption.REPLACE_EXISTING);

        assertThat(later().sweep()).isEmpty();
        assertThat(segment).hasContent("another process's");
    }

    @Test
    void leavesALinkInItsPlace() throws IOException {
        Path victim = Files.move(segment, shm.resolve("victim"));
        Files.createSymbolicLink(segment, victim);

        assertThat(later().sweep()).isEmpty();
        assertThat(victim).exists();
    }

    @Test
    void leavesWhatWasNeverRecorded() throws IOException {
        Path stranger = Files.writeString(shm.resolve("78:0:0"), "another program's");

        later().sweep();

        assertThat(stranger).exists();
    }

    @Test
    void forgetsWhatTheProviderRemoved() {
        new ShmSegments(shm, LIVING).closed(name("fi_shm://77:0:1\0"));

        assertThat(later().sweep()).isEmpty();
        assertThat(segment).exists();
    }

    @Test
    void passesOverANameThatIsNoFile() {
        new ShmSegments(shm, LIVING).created(name("fi_shm://nowhere\0"));

        assertThat(later().sweep()).containsExactly(segment);
    }
}
