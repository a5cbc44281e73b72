package io.weft.discovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.api.MemoryKind;
import io.weft.api.Verdict;
import io.weft.config.ConfigurationSources;
import io.weft.spi.Availability;
import io.weft.spi.Backend;
import io.weft.spi.BackendContext;
import io.weft.spi.BackendProvider;
import io.weft.spi.DeviceMemory;
import io.weft.spi.DeviceMemoryProvider;
import io.weft.spi.OptionSpec;
import io.weft.spi.ProbeContext;
import io.weft.spi.SpiLevel;
import io.weft.testkit.device.FakeDeviceProvider;
import io.weft.testkit.mem.MemProvider;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Providers that the program hands over itself, beside those on its path. */
@Timeout(30)
class GivenProvidersTest {
    private static final SpiLevel LEVEL = new SpiLevel(SpiLevel.MAJOR, SpiLevel.MINOR);

    @Test
    void thePathOfTheApplicationHasTheTestkitsProviders() {
        Discovery discovery = Discovery.ofApplication();

        assertThat(discovery.backends().find("mem"))
                .map(BackendEntry::className)
                .contains(MemProvider.class.getName());
        assertThat(discovery.deviceMemories().probe(Duration.ofSeconds(10)).find(FakeDeviceProvider.KIND))
                .isPresent();
    }

    @Test
    void nothingIsFoundWhereNobodyLooks() {
        assertThat(Discovery.empty().backends().entries()).isEmpty();
        assertThat(Discovery.empty().deviceMemories().entries()).isEmpty();
    }

    @Test
    void aGivenBackendReplacesTheFoundOneOfItsName() {
        Given mine = new Given("mem", 1);

        BackendCatalogue found = Discovery.ofApplication().with(mine).backends();

        assertThat(found.find("mem").flatMap(BackendEntry::provider)).containsSame(mine);
        assertThat(found.entries()).anySatisfy(e -> {
            assertThat(e.verdict()).contains(Verdict.DISABLED);
            assertThat(e.reason()).isEqualTo("the application gave its own backend mem, " + Given.class.getName());
        });
    }

    @Test
    void twoGivenBackendsOfOneNameAreBothRefused() {
        BackendCatalogue found = Discovery.empty()
                .with(new Given("mine", 1))
                .with(new Given("mine", 2))
                .backends();

        assertThat(found.entries())
                .hasSize(2)
                .allSatisfy(e -> assertThat(e.verdict()).contains(Verdict.DUPLICATE_NAME));
    }

    @Test
    void entriesAreOrderedByPriorityThenName() {
        BackendCatalogue found = Discovery.empty()
                .with(new Given("b", 10))
                .with(new Given("c", 50))
                .with(new Given("a", 10))
                .deny(List.of("d"))
                .with(new Given("d", 90))
                .backends();

        assertThat(found.entries()).extracting(BackendEntry::name).containsExactly("c", "a", "b", "d");
    }

    /** The variables of net with rail-lanes and of net-rail with lanes are one. */
    @Test
    void ofTwoBackendsWhoseOptionsClashTheLessPreferredOneIsRefused(@TempDir Path directory) {
        Discovery discovery = Discovery.empty()
                .with(new Given("net", 2, "rail-lanes"))
                .with(new Given("net-rail", 1, "lanes"))
                .with(new Given("other", 0, "lanes"));

        Installation found = Installation.load(discovery, ConfigurationSources.none(directory), List.of());

        assertThat(found.backends().find("net")).isPresent();
        assertThat(found.backends().find("other")).isPresent();
        assertThat(found.backends().entries()).anySatisfy(e -> {
            assertThat(e.name()).isEqualTo("net-rail");
            assertThat(e.verdict()).contains(Verdict.LOAD_FAILED);
            assertThat(e.reason()).contains("WEFT_BACKEND_NET_RAIL_LANES", "rename one");
        });
    }

    @Test
    void aGivenDeviceMemoryReplacesTheFoundOneOfItsKind() {
        GivenMemory mine = new GivenMemory();

        DeviceMemoryCatalogue found = Discovery.ofApplication().with(mine).deviceMemories();

        assertThat(found.probe(Duration.ofSeconds(10)).find(FakeDeviceProvider.KIND))
                .containsSame(mine);
    }

    private record Given(String name, int priority, String... keys) implements BackendProvider {
        @Override
        public SpiLevel builtFor() {
            return LEVEL;
        }

        @Override
        public List<OptionSpec> options() {
            return Stream.of(keys)
                    .map(key -> OptionSpec.of(key, OptionSpec.Type.STRING, "", "Any."))
                    .toList();
        }

        @Override
        public Availability probe(ProbeContext context) {
            return Availability.usable(List.of());
        }

        @Override
        public Backend open(BackendContext context) {
            throw new UnsupportedOperationException("discovery opens nothing");
        }
    }

    private static final class GivenMemory implements DeviceMemoryProvider {
        @Override
        public MemoryKind kind() {
            return FakeDeviceProvider.KIND;
        }

        @Override
        public SpiLevel builtFor() {
            return LEVEL;
        }

        @Override
        public Availability probe(long deadlineNanos) {
            return Availability.usable(List.of());
        }

        @Override
        public DeviceMemory open() {
            throw new UnsupportedOperationException("discovery opens nothing");
        }
    }
}
