package io.weft.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(30)
class OptionsTest {

    @Test
    void isSmallAndInstallsNothingUnlessAsked() {
        assertThat(Options.parse(List.of(), false))
                .isEqualTo(new Options(Size.DEFAULT, false, false, false, List.of()));
    }

    @Test
    void inCiInstallsAndTakesSkipsForFailures() {
        assertThat(Options.parse(List.of("--ci"), true)).isEqualTo(new Options(Size.CI, true, true, false, List.of()));
    }

    @Test
    void takesEveryFlag() {
        assertThat(Options.parse(List.of("--full", "--install", "--list", "--only", "a", "--only", "b"), false))
                .isEqualTo(new Options(Size.FULL, true, false, true, List.of("a", "b")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"--only", "--quick", "build", "--ci --full", "--full --ci"})
    void refusesTheRest(String line) {
        assertThatThrownBy(() -> Options.parse(List.of(line.split(" ")), false))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
