package io.weft.kv;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.config.Configuration;
import io.weft.config.ConfigurationSources;
import io.weft.config.OptionCatalogue;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KvSettingsTest {
    private static Configuration environment(Map<String, String> values) {
        return Configuration.resolve(
                        OptionCatalogue.of(List.of(KvOptions.GROUP)),
                        ConfigurationSources.none(Path.of("")).withEnvironment(values))
                .orThrow();
    }

    @Test
    void everyStateHasADeadlineByDefault() {
        KvSettings s = KvSettings.with(Map.of());
        assertThat(List.of(s.bootstrapNanos(), s.inputNanos(), s.waitingNanos()))
                .allMatch(nanos -> nanos == Duration.ofSeconds(300).toNanos());
        assertThat(List.of(s.drainNanos(), s.quarantineNanos(), s.fenceNanos(), s.graceNanos(), s.heartbeatNanos()))
                .allMatch(nanos -> nanos > 0);
    }

    @ParameterizedTest
    @CsvSource({
        "HOST_IP, 10.0.0.7, host, 10.0.0.7",
        "SGLANG_LOCAL_IP_NIC, eth1, nic, eth1",
        "SGLANG_MORI_SEND_AUX_RDMA, yes, aux.fabric, true",
        "SGLANG_MORI_TRANSFER_SHARDS, 3, shards, 3",
        "SGLANG_MORI_WAIT_POLL_MS, 50, tick, 50ms",
        "SGLANG_DISAGGREGATION_BOOTSTRAP_TIMEOUT, 7, bootstrap.timeout, 7s",
        "SGLANG_DISAGGREGATION_WAITING_TIMEOUT, 8, waiting.timeout, 8s",
        "SGLANG_DISAGGREGATION_HEARTBEAT_INTERVAL, 2.5, heartbeat.interval, 2500ms",
        "SGLANG_DISAGGREGATION_HEARTBEAT_MAX_FAILURE, 4, heartbeat.failures, 4",
        "SGLANG_DISAGGREGATION_ALL_CP_RANKS_TRANSFER, 1, all-cp-ranks, true",
        "SGLANG_DISAGGREGATION_FORCE_QUERY_PREFILL_DP_RANK, y, force-dp-query, true"
    })
    void variablesOfTheOriginalAreReadInItsUnits(String name, String value, String option, String shown) {
        Configuration configuration = environment(Map.of(name, value));
        assertThat(configuration.setting("weft.kv." + option).shown()).isEqualTo(shown);
        assertThat(configuration.setting("weft.kv." + option).origin().text()).contains(name);
    }

    @Test
    void aHostAndAnInterfaceAreOneTooMany() {
        assertThatThrownBy(() -> KvSettings.with(Map.of("weft.kv.host", "10.0.0.7", "weft.kv.nic", "eth1")))
                .hasMessageContaining("weft.kv.nic");
    }
}
