package io.weft.backend.libfabric;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.backend.libfabric.ofi.Ofi;
import io.weft.ffi.SignalHandlers;
import io.weft.spi.Availability;
import io.weft.testkit.lone.LoneOptions;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class LibfabricProbeTest {
    @TempDir
    Path directory;

    @Test
    void namesTheMissingLibraryAndThePackage() {
        Availability answer = probe(Map.of("library", directory.toString()));

        assertThat(answer.isUsable()).isFalse();
        assertThat(answer.reason()).contains("libfabric.so.1", directory.toString(), "No such file");
        assertThat(answer.remedy()).contains("libfabric1", "weft.backend.libfabric.library");
        assertThat(answer.evidence()).hasSize(1);
    }

    @Test
    void aLibraryThatIsTooOldIsRefusedWithBothVersions() throws Exception {
        FakeFabric.compile(directory, "VERSION=(1<<16|9)");
        Availability answer = probe(Map.of("library", directory.toString()));

        assertThat(answer.isUsable()).isFalse();
        assertThat(answer.reason()).contains("1.9", directory.toString());
        assertThat(answer.remedy()).contains("1.17");
    }

    @Test
    void aProviderThatIsNotThereIsNamed() throws Exception {
        FakeFabric.compile(directory);
        Availability answer = probe(Map.of("library", directory.toString(), "provider", "efa", "domain", "rdmap0"));

        assertThat(answer.isUsable()).isFalse();
        assertThat(answer.reason()).contains("fi_getinfo", "provider efa", "domain rdmap0", "No data available");
        assertThat(answer.remedy()).contains("fi_info");
    }

    @Test
    void aLibraryOfThatNameWithoutTheFunctionsIsNamed() throws Exception {
        FakeFabric.compile(directory, "fi_getinfo=renamed");
        assertThat(probe(Map.of("library", directory.toString())).reason()).contains("fi_getinfo");
    }

    @Test
    void theInstalledLibraryListsItsProvidersAndTakesNoSignalHandler() {
        SignalHandlers before = SignalHandlers.now();
        OfiLoader.Loaded loaded = OfiLoader.load("");
        Assumptions.assumeTrue(
                loaded.ofi().isPresent(),
                "libfabric.so.1 is not installed (apt-get install libfabric1): " + loaded.firstFailure());
        Availability answer = probe(Map.of("provider", "tcp"));

        assertThat(answer.isUsable()).as(answer.reason()).isTrue();
        assertThat(answer.devices())
                .isNotEmpty()
                .allSatisfy(device ->
                        assertThat(device.attributes().get("provider")).contains("tcp"));
        assertThat(answer.evidence())
                .anyMatch(line ->
                        line.contains("version " + Ofi.text(loaded.ofi().get().runtimeVersion())))
                .noneMatch(line -> line.contains("was taken by"));
        assertThat(before.restore()).isEmpty();
    }

    private static Availability probe(Map<String, String> options) {
        return new LibfabricProbe(new LoneOptions(LibfabricOptions.ALL, options)).run();
    }
}
