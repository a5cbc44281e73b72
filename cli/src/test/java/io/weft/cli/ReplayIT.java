package io.weft.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The replay with its processes: clean, broken on purpose, and with processes killed. */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
@Tag("long")
class ReplayIT {
    private static final String SMALL = "--scale 0.03 --pool 64 --request-timeout 40 ";

    @TempDir
    Path directory;

    private InProcess replay(String arguments) {
        List<String> all = new ArrayList<>(List.of("replay"));
        all.addAll(List.of(arguments.split(" ")));
        all.addAll(List.of("--json", json().toString(), "--report", page().toString()));
        return InProcess.weft(directory, all.toArray(String[]::new));
    }

    private Path json() {
        return directory.resolve("result.json");
    }

    private Path page() {
        return directory.resolve("result.html");
    }

    private JsonNode result() throws IOException {
        return JsonMapper.shared().readTree(Files.readString(json()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--prefill 2x1 --decode 1",
                "--prefill 1x2 --decode 1 --model gpt-oss-20b",
                "--prefill 2x1 --decode 1 --model qwen3-next-80b"
            })
    void everyPageArrives(String shape) throws IOException {
        InProcess run = replay(SMALL + shape + " --requests 12");
        assertThat(run.exit()).as(run.err() + run.out()).isZero();
        JsonNode result = result();
        assertThat(result.get("succeeded").asInt()).isEqualTo(12);
        assertThat(result.get("failed").asInt()).isZero();
        assertThat(result.get("pagesVerified").asLong())
                .isPositive()
                .isEqualTo(result.get("pagesSent").asLong());
        assertThat(result.get("pagesMismatched").asLong()).isZero();
        assertThat(result.get("bytes").asLong()).isPositive();
        assertThat(Files.readString(page()))
                .contains("pages verified, none wrong")
                .doesNotContain("{{", "<script", "http://", "https://");
    }

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "libfabric"})
    void everyPageArrivesInDeviceMemory(String backend) throws IOException {
        Assumptions.assumeTrue(InProcess.isUsable(directory, backend), backend + " cannot be used here");
        InProcess run = replay(SMALL + "--memory fake --prefill 2x1 --decode 1 --requests 8 --backend " + backend
                + (backend.equals("libfabric") ? " --set weft.backend.libfabric.provider=tcp" : ""));
        assertThat(run.exit()).as(run.err() + run.out()).isZero();
        JsonNode result = result();
        assertThat(result.get("succeeded").asInt()).isEqualTo(8);
        assertThat(result.get("pagesVerified").asLong())
                .isPositive()
                .isEqualTo(result.get("pagesSent").asLong());
        assertThat(result.get("pagesMismatched").asLong()).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "--corrupt 1/9, --prefill 1x1 --decode 2",
        "--corrupt 1/9, --prefill 2x1 --decode 1 --model deepseek-v3",
        "--drop-page 1/9, --prefill 1x2 --decode 1",
        "--swap-heads 1/9, --prefill 2x1 --decode 1"
    })
    void everyPageThatIsSentWrongIsFound(String fault, String shape) throws IOException {
        InProcess run = replay(SMALL + shape + " --requests 8 " + fault);
        assertThat(run.exit()).as(run.err() + run.out()).isEqualTo(1);
        JsonNode result = result();
        assertThat(result.get("failed").asInt()).isZero();
        assertThat(result.get("pagesMismatched").asLong())
                .isPositive()
                .isEqualTo(result.get("pagesCorrupted").asLong());
        assertThat(Files.readString(page())).contains("pages arrived wrong");
    }

    @ParameterizedTest
    @ValueSource(strings = {"prefill:1@25%", "decode:0@25%", "registry@25%"})
    void whatIsKilledComesBackAndIsUsed(String kill) throws IOException {
        InProcess run = replay(SMALL + "--prefill 2x1 --decode 1 --requests 40 --kill " + kill);
        assertThat(run.exit()).as(run.err() + run.out()).isZero();
        JsonNode result = result();
        assertThat(result.get("killed").get(0).asString()).startsWith(kill);
        assertThat(result.get("pagesMismatched").asLong()).isZero();
        assertThat(result.get("failedUnexplained").asInt()).isZero();
        assertThat(result.get("succeededAfterKills").asInt()).isPositive();
        assertThat(result.get("succeeded").asInt() + result.get("failed").asInt())
                .isEqualTo(40);
        assertThat(result.get("wallSeconds").asDouble()).isLessThan(120);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "--kill prefill:7@50%|--kill prefill:7@50%: that side has ranks 0 to 1",
                "--kill everything|'everything' is not of the form prefill:RANK@P%, decode:RANK@P% or registry@P%",
                "--corrupt 5|'5' is not of the form 1/N, as 1/1000",
                "--requests 0|--requests must be at least 1, found 0",
                "--scale 3|scale must be above 0 and at most 1, found 3.0",
                "--prefill 3x1|8 KV heads of model llama-3-8b cannot be shared by 3 tensor-parallel ranks",
                "--prefill x|--prefill x is not of the form TPxPP, as 4x1",
                "--model nope|no model preset and no file is named 'nope'; presets are llama-3-8b",
                "--trace nope.jsonl|cannot read trace nope.jsonl: there is no such file",
                "--pool 1|give a smaller --scale or a larger --pool",
                "--prefill 2x1 --decode 1 --model gpt-oss-20b|'swa' of model gpt-oss-20b needs as many",
                "--swap-heads 1/4 --model deepseek-v3|--swap-heads needs at least two KV heads on a prefill rank"
            })
    void aBadOptionIsRefusedBeforeAnythingStarts(String arguments, String words) {
        InProcess run = replay(arguments);
        assertThat(run.exit()).as(run.err()).isEqualTo(2);
        assertThat(run.err()).contains(words).doesNotContain("defect", "Exception");
        assertThat(json()).doesNotExist();
    }

    @Test
    void aRankThatCannotStartIsNamedWithWhatItSaid() {
        InProcess run = replay(SMALL + "--requests 2 --backend nope");
        assertThat(run.exit()).isEqualTo(1);
        assertThat(run.err()).contains("ended (exit code", "nope ABSENT", "layouts and logs of the ranks are in");
    }
}
