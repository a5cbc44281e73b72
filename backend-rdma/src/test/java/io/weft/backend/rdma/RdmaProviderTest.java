package io.weft.backend.rdma;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.spi.BackendProvider;
import java.lang.module.ModuleDescriptor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;

class RdmaProviderTest {
    @Test
    void isFoundOnTheClassPathUnderItsName() {
        assertThat(ServiceLoader.load(BackendProvider.class))
                .filteredOn(provider -> provider instanceof RdmaProvider)
                .singleElement()
                .satisfies(provider -> assertThat(provider.name()).isEqualTo("rdma"));
    }

    @Test
    void theServiceFilesAgreeWithTheModule() throws Exception {
        Path classes = Path.of(RdmaProvider.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        try (var in = Files.newInputStream(classes.resolve("module-info.class"))) {
            assertThat(ModuleDescriptor.read(in).provides())
                    .hasSize(2)
                    .allSatisfy(provides -> assertThat(
                                    Files.readAllLines(classes.resolve("META-INF/services/" + provides.service())))
                            .isEqualTo(provides.providers()));
        }
    }
}
