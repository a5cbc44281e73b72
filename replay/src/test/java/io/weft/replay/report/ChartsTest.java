package io.weft.replay.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ChartsTest {
    @ParameterizedTest
    @CsvSource({
        "313, 4, 100 200 300",
        "6.61, 4, 2 4 6",
        "101, 6, 20 40 60 80 100",
        "4, 4, 1 2 3 4",
        "0.9, 4, 0.2 0.4 0.6 0.8",
        "0, 4, ''"
    })
    void ticksAreRound(double most, int count, String expected) {
        StringBuilder ticks = new StringBuilder();
        for (double tick : Charts.ticks(most, count)) {
            ticks.append(ticks.isEmpty() ? "" : " ").append(Html.number(tick));
        }
        assertThat(ticks).hasToString(expected);
    }

    @ParameterizedTest
    @ValueSource(doubles = {1e-6, 0.037, 1, 9.99, 10, 99, 1234, 7.5e8})
    void thereAreNeverManyTicks(double most) {
        for (int count = 2; count <= 8; count++) {
            assertThat(Charts.ticks(most, count)).hasSizeBetween(1, count);
        }
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "100, 100", "99.96, 100", "12.34, 12.3", "20, 20", "1.5, 1.5", "1.996, 2", "1234.4, 1234"})
    void numbersHaveThreeDigitsThatMatter(double value, String expected) {
        assertThat(Html.number(value)).isEqualTo(expected);
    }
}
