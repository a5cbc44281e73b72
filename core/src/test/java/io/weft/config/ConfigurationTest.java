package io.weft.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.api.ErrorCode;
import io.weft.spi.OptionSpec;
import io.weft.spi.OptionSpec.Type;
import io.weft.spi.OptionValues;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(30)
class ConfigurationTest {
    private static final OptionGroup NET = new OptionGroup(
            "net",
            "weft.backend.net.",
            "a backend",
            List.of(
                    OptionSpec.integer("lanes", 4, 1, 64, "Lanes.").withAliases("MORI_IO_QP_PER_TRANSFER"),
                    OptionSpec.of("timeout", Type.DURATION, "30s", "Deadline.")
                            .withRange(1_000_000, 3_600_000_000_000L)
                            .withAliases("SGLANG_MORI_TRANSFER_TIMEOUT_MS", "SGLANG_WAITING_TIMEOUT"),
                    OptionSpec.of("buffer", Type.BYTES, "8MiB", "Buffer.").withRange(4096, 1L << 40),
                    OptionSpec.of("notify", Type.BOOLEAN, "true", "Notify.").withAliases("MORI_IO_ENABLE_NOTIFICATION"),
                    OptionSpec.choice("mode", "poll", List.of("poll", "event"), "Mode."),
                    OptionSpec.of("devices", Type.LIST, "", "Devices."),
                    OptionSpec.of("label", Type.STRING, "", "Label."),
                    OptionSpec.of("secret", Type.STRING, "", "Secret.").asSecret()));
    private static final OptionCatalogue CATALOGUE = OptionCatalogue.of(List.of(ToolOptions.GROUP, NET));

    @TempDir
    Path directory;

    private ConfigurationSources sources;

    @BeforeEach
    void startWithNothing() {
        sources = ConfigurationSources.none(directory);
    }

    @Test
    void defaultsAreTypedValues() {
        OptionValues values = resolve().values(NET);

        assertThat(values.integer("lanes")).isEqualTo(4);
        assertThat(values.nanos("timeout")).isEqualTo(30_000_000_000L);
        assertThat(values.bytes("buffer")).isEqualTo(8 << 20);
        assertThat(values.bool("notify")).isTrue();
        assertThat(values.string("mode")).isEqualTo("poll");
        assertThat(values.list("devices")).isEmpty();
        assertThat(values.origin("lanes")).isEqualTo("default");
    }

    @Test
    void eachSourceGivesWayToTheOneBeforeIt() throws IOException {
        Files.writeString(directory.resolve("weft.conf"), "weft.backend.net {\n  lanes = 7\n}\n");
        assertLanes(7, "weft.conf: 2");

        sources = sources.withEnvironment(Map.of("MORI_IO_QP_PER_TRANSFER", "6"));
        assertLanes(6, "environment MORI_IO_QP_PER_TRANSFER");

        sources = sources.withEnvironment(Map.of("MORI_IO_QP_PER_TRANSFER", "6", "WEFT_BACKEND_NET_LANES", "5"));
        assertLanes(5, "environment WEFT_BACKEND_NET_LANES");

        Properties properties = new Properties();
        properties.setProperty("weft.backend.net.lanes", "3");
        sources = sources.withProperties(properties);
        assertLanes(3, "-Dweft.backend.net.lanes");

        sources = sources.withFlags(Map.of("weft.backend.net.lanes", "2"));
        assertLanes(2, "command line");

        sources = sources.withApi(Map.of("weft.backend.net.lanes", "1"));
        assertLanes(1, "set by the program");
    }

    @ParameterizedTest
    @CsvSource({
        "timeout, 1500, the unit is missing",
        "timeout, 5 sec, unknown unit 'sec'",
        "timeout, soon, 'not a duration, write it like 5s'",
        "timeout, 0s, out of range; allowed: a duration in ns, us, ms, s, m or h from 1ms to 1h",
        "timeout, 2h, out of range",
        "buffer, 64M, unknown unit 'M', the units are GiB",
        "buffer, 1B, out of range; allowed: a size in B, KiB, MiB or GiB from 4KiB to 1024GiB",
        "buffer, 1.00001KiB, a fraction of the smallest unit",
        "lanes, many, not a whole number; allowed: a whole number from 1 to 64",
        "lanes, 65, out of range",
        "lanes, 99999999999999999999, not a whole number",
        "notify, yes, neither true nor false",
        "mode, evnt, 'not among the choices; did you mean event?; allowed: one of poll, event'",
    })
    void saysWhatIsWrongWithAValueAndWhatIsAllowed(String option, String value, String words) {
        String key = "weft.backend.net." + option;
        sources = sources.withFlags(Map.of(key, value));

        assertThat(resolve().problems()).singleElement().satisfies(problem -> {
            assertThat(problem.key()).isEqualTo(key);
            assertThat(problem.origin().text()).isEqualTo("command line");
            assertThat(problem.text()).startsWith("'" + value + "': ").contains(words.trim());
        });
    }

    @Test
    void tellsAllErrorsAtOnce() throws IOException {
        Files.writeString(
                directory.resolve("weft.conf"), "weft.backend.net.lanse = 2\nweft.backend.net.buffer = 1KiB\n");
        sources = sources.withEnvironment(Map.of("WEFT_BACKEND_NET_MOED", "poll", "WEFT_BACKEND_NET_LANES", "0"))
                .withFlags(Map.of("weft.backends.alow", "net"));

        assertThatThrownBy(() -> resolve().orThrow())
                .isInstanceOfSatisfying(ConfigurationException.class, e -> {
                    assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT);
                    assertThat(e.problems()).hasSize(5);
                })
                .hasMessageContaining("configuration has 5 errors:")
                .hasMessageContaining(
                        "weft.backend.net.lanse (weft.conf: 1): no such option; did you mean weft.backend.net.lanes?")
                .hasMessageContaining("weft.backend.net.buffer (weft.conf: 2): '1KiB': out of range")
                .hasMessageContaining(
                        "WEFT_BACKEND_NET_MOED (environment): no such option; did you mean WEFT_BACKEND_NET_MODE?")
                .hasMessageContaining("WEFT_BACKEND_NET_LANES (environment WEFT_BACKEND_NET_LANES): '0': out of range")
                .hasMessageContaining(
                        "weft.backends.alow (command line): no such option; did you mean weft.backends.allow?");
    }

    @Test
    void namesTheArtifactOfABackendThatIsNotThere() {
        sources = sources.withEnvironment(Map.of("WEFT_BACKEND_RDMA_QP_PER_PEER", "2"))
                .withFlags(Map.of("weft.backend.libfabric.domain", "efa", "weft.backend.nett.lanes", "1"));

        assertThat(resolve().problems())
                .extracting(Problem::text)
                .satisfiesExactlyInAnyOrder(
                        text -> assertThat(text).contains("add the artifact io.weft:weft-backend-rdma"),
                        text -> assertThat(text).contains("add the artifact io.weft:weft-backend-libfabric"),
                        text -> assertThat(text)
                                .isEqualTo(
                                        "no backend named nett is on the path or among the plug-ins; found: net; did you mean net?; or take the option out"));
    }

    @Test
    void aForeignZeroDoesNotSwitchADeadlineOff() {
        sources = sources.withEnvironment(Map.of("SGLANG_MORI_TRANSFER_TIMEOUT_MS", "0"));

        Configuration configuration = resolve().orThrow();

        assertThat(configuration.values(NET).nanos("timeout")).isEqualTo(30_000_000_000L);
        assertThat(configuration.values(NET).origin("timeout")).isEqualTo("default");
        assertThat(configuration.warnings())
                .containsExactly(
                        "SGLANG_MORI_TRANSFER_TIMEOUT_MS=0 would switch a deadline off, which Weft does not do; "
                                + "weft.backend.net.timeout keeps its default 30s");
    }

    @ParameterizedTest
    @CsvSource({
        "SGLANG_MORI_TRANSFER_TIMEOUT_MS, 250, timeout, 250ms",
        "SGLANG_WAITING_TIMEOUT, 2.5, timeout, 2500ms",
        "MORI_IO_ENABLE_NOTIFICATION, N, notify, false",
        "MORI_IO_ENABLE_NOTIFICATION, 1, notify, true",
        "MORI_IO_QP_PER_TRANSFER, 8, lanes, 8",
    })
    void foreignVariablesAreReadInTheirOwnUnits(String name, String value, String option, String shown) {
        sources = sources.withEnvironment(Map.of(name, value));

        Setting setting = resolve().orThrow().setting("weft.backend.net." + option);

        assertThat(setting.shown()).isEqualTo(shown);
        assertThat(setting.origin().text()).isEqualTo("environment " + name);
    }

    @Test
    void aForeignVariableThatIsOverriddenMayBeWrong() {
        sources = sources.withEnvironment(Map.of("MORI_IO_QP_PER_TRANSFER", "1000"));
        assertThat(resolve().problems()).singleElement().asString().contains("'1000': out of range");

        sources = sources.withFlags(Map.of("weft.backend.net.lanes", "2"));
        assertThat(resolve().problems()).isEmpty();
    }

    @Test
    void anEmptyVariableIsNoVariable() {
        sources = sources.withEnvironment(Map.of("WEFT_BACKEND_NET_LANES", ""));

        assertThat(resolve().orThrow().values(NET).integer("lanes")).isEqualTo(4);
    }

    @Test
    void otherPeoplesVariablesAndPropertiesAreLeftAlone() {
        Properties properties = new Properties();
        properties.setProperty("java.home", "/jdk");
        properties.setProperty("weft.test.seed", "1");
        sources = sources.withProperties(properties)
                .withEnvironment(Map.of("PATH", "/bin", "WEFTY", "1", "SGLANG_X", "1"));

        assertThat(resolve().problems()).isEmpty();
    }

    @Test
    void aSecretIsNeverShown() {
        sources = sources.withEnvironment(Map.of("WEFT_BACKEND_NET_SECRET", "hunter2"));

        Configuration configuration = resolve().orThrow();

        assertThat(configuration.values(NET).string("secret")).isEqualTo("hunter2");
        assertThat(configuration.setting("weft.backend.net.secret").toString())
                .isEqualTo("weft.backend.net.secret = (set, not shown) (environment WEFT_BACKEND_NET_SECRET)");
        assertThat(configuration.settings().toString() + configuration.values(NET))
                .doesNotContain("hunter2");
    }

    @Test
    void aSecretMayComeFromAFile() throws IOException {
        Path file = Files.writeString(directory.resolve("key"), "hunter2\n");
        sources = sources.withEnvironment(Map.of("WEFT_BACKEND_NET_SECRET_FILE", file.toString()));

        assertThat(resolve().orThrow().values(NET).string("secret")).isEqualTo("hunter2");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "missing"})
    void aSecretFileThatHoldsNoneIsAnError(String name) throws IOException {
        Path file = name.isEmpty() ? Files.writeString(directory.resolve("key"), "\n") : directory.resolve(name);
        sources = sources.withFlags(Map.of("weft.backend.net.secret-file", file.toString()));

        assertThat(resolve().problems())
                .singleElement()
                .asString()
                .contains("weft.backend.net.secret-file (command line)", file.toString())
                .containsAnyOf("is empty", "does not exist");
    }

    @Test
    void aSecretOnTheCommandLineIsRefusedAndNotRepeated() {
        sources = sources.withFlags(Map.of("weft.backend.net.secret", "hunter2"));

        assertThat(resolve().problems())
                .singleElement()
                .asString()
                .contains("WEFT_BACKEND_NET_SECRET", "weft.backend.net.secret-file")
                .doesNotContain("hunter2");
    }

    @Test
    void theFileMayUseListsAndQuotedKeys() throws IOException {
        Files.writeString(
                directory.resolve("weft.conf"),
                "weft { backend { net { devices = [a, b], \"label\" = \"x y\", timeout = 2s } } }");

        OptionValues values = resolve().orThrow().values(NET);

        assertThat(values.list("devices")).containsExactly("a", "b");
        assertThat(values.string("label")).isEqualTo("x y");
        assertThat(values.nanos("timeout")).isEqualTo(2_000_000_000L);
    }

    @Test
    void aNamedFileThatIsNotThereIsAnErrorAndADefaultOneIsNot() {
        assertThat(resolve().problems()).isEmpty();

        sources = sources.withFile(directory.resolve("other.conf"));
        assertThat(resolve().problems()).singleElement().asString().contains("other.conf", "does not exist");
    }

    @Test
    void aFileThatCannotBeReadAsHoconSaysWhere() throws IOException {
        Files.writeString(directory.resolve("weft.conf"), "weft {\n  backend = }\n");

        assertThat(resolve().problems()).singleElement().asString().contains("weft.conf: 2", "is not valid HOCON");
    }

    @Test
    void askingForWhatWasNotDeclaredIsADefect() {
        OptionValues values = resolve().values(NET);

        assertThatThrownBy(() -> values.integer("lines"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("weft.backend.net.lines");
        assertThatThrownBy(() -> values.string("lanes"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("INTEGER");
    }

    private void assertLanes(long lanes, String origin) {
        OptionValues values = resolve().orThrow().values(NET);
        assertThat(values.integer("lanes")).isEqualTo(lanes);
        assertThat(values.origin("lanes")).isEqualTo(origin);
    }

    private Configuration resolve() {
        return Configuration.resolve(CATALOGUE, sources);
    }
}
