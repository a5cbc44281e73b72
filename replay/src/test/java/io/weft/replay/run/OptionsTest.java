package io.weft.replay.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.replay.rank.Side;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OptionsTest {
    @Test
    void parsesKills() {
        assertThat(Kill.parse("prefill:1@50%")).isEqualTo(new Kill(Side.PREFILL, 1, 50));
        assertThat(Kill.parse("decode:0@100%")).isEqualTo(new Kill(Side.DECODE, 0, 100));
        assertThat(Kill.parse("registry@7%")).isEqualTo(new Kill(null, 0, 7));
        assertThat(Kill.parse("registry@7%")).hasToString("registry@7%");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "prefill@50%", "prefill:x@5%", "decode:1@50", "registry:1@5%", "decode:1@101%"})
    void refusesOtherForms(String text) {
        assertThatThrownBy(() -> Kill.parse(text)).hasMessageContaining("is not of the form");
    }

    @Test
    void ratiosHitEveryNth() {
        Ratio ratio = Ratio.parse("1/3");
        assertThat(ratio.hits(3)).isTrue();
        assertThat(ratio.hits(4)).isFalse();
        assertThat(Ratio.NEVER.hits(3)).isFalse();
        assertThatThrownBy(() -> Ratio.parse("3")).hasMessageContaining("1/N");
        assertThatThrownBy(() -> Ratio.parse("1/0")).hasMessageContaining("1/N");
    }
}
