package io.weft.cli.rank;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PatternTest {
    /** The page that states the pattern gives these bytes. */
    @Test
    void hasTheStatedBytes() {
        byte[] bytes = new byte[8];
        Pattern.unit(bytes, 0, 8, 7, Pattern.K, 0, 1, 0, 0);
        assertThat(bytes).containsExactly(117, 74, 52, 63, (byte) 197, 12, 53, (byte) 149);
    }
}
