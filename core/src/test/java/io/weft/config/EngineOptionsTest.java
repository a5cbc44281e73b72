package io.weft.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(30)
class EngineOptionsTest {
    private static final OptionCatalogue CATALOGUE =
            OptionCatalogue.of(List.of(ToolOptions.GROUP, EngineOptions.GROUP));

    @TempDir
    Path directory;

    @Test
    void theDefaultsFitEachOther() {
        assertThat(problems(Map.of())).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "weft.heartbeat.interval=3s, weft.heartbeat.suspect",
        "weft.heartbeat.suspect=10s, weft.heartbeat.lost",
        "weft.listen.port=1, port 1 is reserved",
        "weft.advertise.port=1, port 1 is reserved",
        "weft.advertise.host=0.0.0.0, peers cannot dial a wildcard",
        "weft.trust=strict;weft.listen.host=0.0.0.0, set WEFT_SECRET or weft.secret-file",
        "weft.trust=strict;weft.listen.host=node7, set WEFT_SECRET or weft.secret-file",
        "weft.trust=none, 'one of normal, strict'",
        "weft.transfer.deadline=0s, out of range",
    })
    void refusesWhatMakesNoSense(String settings, String words) {
        assertThat(problems(parse(settings))).singleElement().asString().contains(words);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "weft.trust=strict",
                "weft.trust=strict;weft.listen.host=::1",
                "weft.trust=strict;weft.listen.host=localhost",
                "weft.listen.host=0.0.0.0"
            })
    void acceptsWhatDoes(String settings) {
        assertThat(problems(parse(settings))).isEmpty();
    }

    @Test
    void aSecretSettlesStrictTrust() {
        ConfigurationSources sources = ConfigurationSources.none(directory)
                .withEnvironment(Map.of("WEFT_SECRET", "hunter2"))
                .withFlags(Map.of("weft.trust", "strict", "weft.listen.host", "0.0.0.0"));

        assertThat(Configuration.resolve(CATALOGUE, sources).problems()).isEmpty();
    }

    private List<Problem> problems(Map<String, String> flags) {
        return Configuration.resolve(
                        CATALOGUE, ConfigurationSources.none(directory).withFlags(flags))
                .problems();
    }

    private static Map<String, String> parse(String settings) {
        Map<String, String> flags = new HashMap<>();
        for (String setting : settings.split(";")) {
            String[] keyAndValue = setting.split("=");
            flags.put(keyAndValue[0], keyAndValue[1]);
        }
        return flags;
    }
}
