package io.weft.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.tck.report.Results;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The reference backend passes every rule that the kit has. */
@Timeout(300)
class ReferenceBackendTest {
    @Test
    void passesEveryRule() {
        Map<String, String> values = Map.of(TckConfig.BACKEND, "mem", TckConfig.PROFILE, "quick");
        TckConfig config =
                TckConfig.read(key -> Optional.ofNullable(values.get(key)).or(() -> fromRun(key)));
        Results results = Tck.run(config);
        assertThat(results.brokenText()).isEmpty();
        assertThat(results.cases()).isNotEmpty();
        assertThat(results.cases().stream().filter(Results.CaseResult::failed))
                .extracting(result -> String.valueOf(result.thrown()))
                .as("seed %d", config.seed())
                .isEmpty();
    }

    private static Optional<String> fromRun(String key) {
        return Optional.ofNullable(System.getProperty(key));
    }
}
