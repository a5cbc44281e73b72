package io.weft.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.spi.OptionSpec;
import io.weft.spi.OptionSpec.Type;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(30)
class OptionCatalogueTest {
    @ParameterizedTest
    @ValueSource(strings = {"Lanes", "lanes_max", "-lanes", "lanes.", "a..b", "", "laneś"})
    void refusesKeysThatEnvironmentNamesCannotStandFor(String key) {
        assertThatThrownBy(() -> group("net", OptionSpec.of(key, Type.STRING, "", "")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("weft.backend.net." + key);
    }

    @Test
    void refusesADefaultThatTheOptionItselfRefuses() {
        assertThatThrownBy(() -> group("net", OptionSpec.of("timeout", Type.DURATION, "", "")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("default '' of option weft.backend.net.timeout is not a duration");
    }

    @ParameterizedTest
    @CsvSource({"a-b, a.b, have the same name WEFT_BACKEND_NET_A_B", "a, a.b, lies below option weft.backend.net.a"})
    void refusesNamesThatCannotBeToldApart(String one, String other, String words) {
        OptionGroup group =
                group("net", OptionSpec.of(one, Type.STRING, "", ""), OptionSpec.of(other, Type.STRING, "", ""));

        assertThatThrownBy(() -> OptionCatalogue.of(List.of(group)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(words);
    }

    @Test
    void theEnvironmentNameIsTheKeyInUpperCase() {
        OptionCatalogue catalogue =
                OptionCatalogue.of(List.of(group("rdma", OptionSpec.integer("qp-per-peer", 1, 1, 8, ""))));

        assertThat(catalogue.options()).singleElement().satisfies(option -> {
            assertThat(option.key()).isEqualTo("weft.backend.rdma.qp-per-peer");
            assertThat(option.environmentName()).isEqualTo("WEFT_BACKEND_RDMA_QP_PER_PEER");
        });
    }

    @ParameterizedTest
    @CsvSource({"lanse, lanes, 1", "lane, lanes, 1", "abc, xyz, 3", "lanes, lanes, 0"})
    void distanceCountsSwappedNeighboursOnce(String a, String b, int steps) {
        assertThat(Nearest.distance(a, b)).isEqualTo(steps);
    }

    @Test
    void suggestsNothingWhenNothingIsNear() {
        assertThat(Nearest.suggestion("weft.frobnicate", List.of("weft.config", "weft.home")))
                .isEmpty();
    }

    private static OptionGroup group(String name, OptionSpec... specs) {
        return OptionGroup.ofBackend(name, List.of(specs));
    }
}
