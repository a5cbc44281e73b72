package io.weft.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

@Timeout(60)
class DoctorCommandTest {
    @TempDir
    Path directory;

    @Test
    void looksAtEverythingAndSaysWhatToDo() {
        InProcess run = InProcess.weft(directory, "doctor", "--json");

        JsonNode report = run.json();
        assertThat(report.get("findings").valueStream().map(f -> f.get("area").asString()))
                .contains(
                        "java",
                        "configuration",
                        "backend tcp",
                        "backend rdma",
                        "memlock",
                        "hugepages",
                        "shm",
                        "rdma",
                        "port",
                        "tcp",
                        "container",
                        "ptrace",
                        "clock",
                        "signals");
        assertThat(report.get("findings").valueStream())
                .filteredOn(f -> f.get("area").asString().equals("backend tcp"))
                .singleElement()
                .satisfies(f -> assertThat(f.get("evidence").valueStream().map(JsonNode::asString))
                        .anySatisfy(line -> assertThat(line).matches("tcp_wmem(: .*| = [0-9]+\\s+[0-9]+\\s+[0-9]+)")));
        assertThat(report.get("findings").valueStream())
                .allSatisfy(f -> assertThat(f.get("level").asString()).isIn("ok", "warning", "problem"))
                .filteredOn(f -> f.get("area").asString().equals("memlock")
                        && !f.get("level").asString().equals("ok"))
                .allSatisfy(f -> assertThat(f.get("advice").asString()).isNotEmpty());
        assertThat(run.exit()).isEqualTo(report.get("problems").intValue() == 0 ? 0 : 1);
    }

    @ParameterizedTest
    @CsvSource({
        "host, ok       memory host",
        "fake, ok       memory fake:0: 1048576 bytes went there and came back",
        "fake:1, ok       memory fake:1: 1048576 bytes went there and came back",
        "fake:7, problem  memory fake:7: --memory fake:7: there are 2 devices",
        "none:0, problem  memory none:0: --memory none:0: no provider of that kind was found"
    })
    void memoryThatIsAskedForIsTried(String memory, String line) {
        InProcess run = InProcess.weft(directory, "doctor", "--memory", memory);

        assertThat(run.out()).contains(line);
    }

    @Test
    void memoryThatHasNoNameIsBadUsage() {
        assertThat(InProcess.weft(directory, "doctor", "--memory", "cuda:x").exit())
                .isEqualTo(2);
    }

    @Test
    void aWrongOptionIsAProblemAmongTheOthers() {
        InProcess run = InProcess.weft(directory, "doctor", "--set", "weft.transfer.deadlin=3s");

        assertThat(run.exit()).isEqualTo(1);
        assertThat(run.out())
                .contains("problem  configuration: weft.transfer.deadlin (command line): no such option; did you mean"
                        + " weft.transfer.deadline?");
    }

    @Test
    void aBackendThatIsCountedOnAndAbsentIsAProblem() {
        InProcess run = InProcess.weft(directory, "doctor", "--set", "weft.backends.order=efa,tcp");

        assertThat(run.exit()).isEqualTo(1);
        assertThat(run.out())
                .contains(
                        "problem  backend efa: weft.backends.order (command line) names it, but no backend named efa");
    }
}
