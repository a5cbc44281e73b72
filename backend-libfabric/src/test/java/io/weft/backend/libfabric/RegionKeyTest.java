package io.weft.backend.libfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.api.ErrorCode;
import io.weft.api.WeftException;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RegionKeyTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 8, 16, 47, 1024})
    void keysOfAnyLengthSurvive(int length) {
        byte[] key = new byte[length];
        new Random(length).nextBytes(key);

        RegionKey read = RegionKey.decode(new RegionKey(true, 0xffff_8000_0000_1000L, key).encode());

        assertThat(read.raw()).isTrue();
        assertThat(read.base()).isEqualTo(0xffff_8000_0000_1000L);
        assertThat(read.key()).isEqualTo(key);
    }

    @Test
    void everyTruncationAndSurplusIsADecodeError() {
        byte[] good = RegionKey.plain(0, -1).encode();
        assertThat(RegionKey.decode(good).plainKey()).isEqualTo(-1);
        for (int length = 0; length < good.length + 3; length++) {
            if (length == good.length) {
                continue;
            }
            byte[] bad = Arrays.copyOf(good, length);
            assertThatThrownBy(() -> RegionKey.decode(bad))
                    .as("%d bytes", length)
                    .isInstanceOfSatisfying(
                            WeftException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.DECODE_ERROR));
        }
    }
}
