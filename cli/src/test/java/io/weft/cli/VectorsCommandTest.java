package io.weft.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.config.ConfigurationSources;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class VectorsCommandTest {
    @TempDir
    Path directory;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @ParameterizedTest
    @CsvSource({"wire-golden.json, 243", "mori-golden.json, 8", "original-frames.json, 90"})
    void theGoldenFilesPass(String file, int atLeast) throws Exception {
        assertThat(run(copy(file, text -> text))).as("%s%s", out, err).isZero();
        int passed = Pattern.compile("(?m)^\\S+\\s+(\\d+)\\s+0\\s+\\d+\\s*$")
                .matcher(out.toString())
                .results()
                .mapToInt(r -> Integer.parseInt(r.group(1)))
                .sum();
        assertThat(passed).isGreaterThanOrEqualTo(atLeast);
    }

    @Test
    void whatIsNotAsExpectedIsShownAndFails() throws Exception {
        Path changed = copy("wire-golden.json", text -> text.replace("1655955501905217457", "1655955501905217458"));
        assertThat(run(changed)).isEqualTo(1);
        assertThat(out.toString())
                .contains(
                        "FAILED shard_of_room shards8",
                        "expected {\"shards\":[0,7,0,7,1]}",
                        "actual   {\"shards\":[0,7,0,7,2]}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{} | has no vector",
                "{\"vectors\": []} | has no vector",
                "{\"vectors\": [{\"kind\": \"zmq_hello\", \"name\": \"n\"}]} | zmq_hello",
                "{\"novelSection\": []} | novelSection",
                "{\"vectors\": [{\"kind\": \"pack_int_lists\", \"name\": \"n\", \"inputs\": {\"lists\": [[1]], \"fmt\": \"i\"}, \"expected\": {\"error\": true}}]} | a refusal",
                "{\"vectors\": [{\"kind\": \"pack_int_lists\", \"name\": \"n\", \"inputs\": {}, \"expected\": {\"hex\": \"\"}}]} | NullPointer",
            })
    void whatCannotBeJudgedFails(String json, String shown) throws Exception {
        assertThat(run(Files.writeString(directory.resolve("v.json"), json))).isEqualTo(1);
        assertThat(out.toString()).contains(shown);
    }

    @Test
    void aSectionOfAnAbsentBackendIsACountedSkip() throws Exception {
        String json = "{\"tcpBackendV3\": [{\"kind\": \"NoSuchFrame(X=1)\", \"name\": \"n\"}],"
                + "\"vectors\": [{\"kind\": \"shard_of_room\", \"name\": \"s\", \"inputs\": {\"num_shards\": 1,"
                + "\"rooms\": [18446744073709551615]}, \"expected\": {\"shards\": [0]}}]}";
        assertThat(run(Files.writeString(directory.resolve("v.json"), json))).isZero();
        assertThat(out.toString()).contains("skipped: backend tcp offers no codec");
    }

    @Test
    void aFileThatIsNoJsonIsBadUsage() throws Exception {
        assertThat(run(Files.writeString(directory.resolve("v.json"), "frames")))
                .isEqualTo(2);
        assertThat(err.toString()).contains("v.json is no JSON");
    }

    private Path copy(String file, UnaryOperator<String> edit) throws Exception {
        try (InputStream in = VectorsCommandTest.class.getResourceAsStream("/vectors/" + file)) {
            String text = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
            return Files.writeString(directory.resolve(file), edit.apply(text));
        }
    }

    private int run(Path file) {
        ConfigurationSources none = ConfigurationSources.none(directory);
        return Main.run(none, new PrintWriter(out), new PrintWriter(err), "vectors", file.toString());
    }
}
