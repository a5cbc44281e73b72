package io.weft.backend.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.tck.Tck;
import io.weft.tck.TckConfig;
import io.weft.tck.report.Results;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The kit's rules over this backend, between two processes where they ask for it. */
@Timeout(300)
class TcpConformanceTest {
    @Test
    void passesTheKit() {
        Map<String, String> values = Map.of(TckConfig.BACKEND, "tcp", TckConfig.PROFILE, "quick");
        TckConfig config = TckConfig.read(
                key -> Optional.ofNullable(values.get(key)).or(() -> Optional.ofNullable(System.getProperty(key))));

        Results results = Tck.run(config);

        assertThat(results.brokenText()).isEmpty();
        assertThat(results.cases()).isNotEmpty();
        assertThat(results.cases().stream().filter(Results.CaseResult::failed))
                .extracting(result -> String.valueOf(result.thrown()))
                .as("seed %d", config.seed())
                .isEmpty();
    }
}
