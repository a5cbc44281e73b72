package io.weft.tck.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class BrokenPromiseTest {
    @Test
    void promisesThatDifferInNumbersAreToldOnce() {
        assertThat(new BrokenPromise(List.of("token 7 completed twice", "post threw", "token 8 completed twice")))
                .hasMessageEndingWith(": token 7 completed twice (and so 2 times); post threw");
    }

    @Test
    void everyRuleHasAPlaceInItsStepAndTheSimplestComesFirst() {
        for (Step step : Step.values()) {
            assertThat(step.rules())
                    .allSatisfy(rule -> assertThat(step.place(rule)).isNotNegative());
        }
        assertThat(Step.LINKS.place("WR-1")).isLessThan(Step.LINKS.place("ERR-1"));
    }
}
