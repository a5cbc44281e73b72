package io.weft.backend.rdma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.api.ErrorCode;
import io.weft.api.WeftException;
import io.weft.testkit.lone.LoneContext;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which of several devices, none of which has a PCI address, is opened. */
@Timeout(60)
class DevicesTest {
    @TempDir
    static Path directory;

    private static FakeVerbs fake;

    @BeforeAll
    static void build() throws Exception {
        fake = FakeVerbs.in(directory, "DEVICES=3");
    }

    private static LoneContext open(String filter) {
        return LoneContext.open(
                new LoneContext.Neighbourhood(),
                "one",
                new RdmaProvider(),
                Map.of("library", fake.path(), "device", filter));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'' | fake0",
                "fake1 | fake1",
                "'fake2, fake1' | fake1",
                "^fake0 | fake1",
                "'^fake0,fake1' | fake2",
                "^ | fake0",
                "^mlx5_0 | fake0"
            })
    void theFirstThatTheFilterLetsThroughIsOpened(String filter, String device) {
        LoneContext context = open(filter);

        assertThat(context.backend().capabilities().vendor()).containsEntry("device", device);

        context.backend().close();
        assertThat(fake.objects()).isZero();
        assertThat(fake.openContexts()).isZero();
    }

    @Test
    void aFilterThatLeavesNoneIsNamed() {
        assertThatThrownBy(() -> open("^fake0,fake1,fake2"))
                .isInstanceOfSatisfying(
                        WeftException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNSUPPORTED))
                .hasMessageContaining("^fake0,fake1,fake2")
                .hasMessageContaining("fake1 is left out");
        assertThat(fake.openContexts()).isZero();
    }
}
