package io.weft.backend.libfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.api.ErrorCode;
import io.weft.api.WeftException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class GreetingTest {
    private static final long SEED = Long.getLong("weft.test.seed", System.nanoTime());

    private final Greeting.Opened opened = new Greeting.Opened(
            -2, new byte[] {1, 2, 3}, RegionKey.plain(7, 9), "sixteen bytes it".getBytes(StandardCharsets.US_ASCII));

    @Test
    void everyMessageSurvives() {
        assertThat(Greeting.Address.decode(new Greeting.Address("tcp;ofi_rxm", "10.0.0.0/8").encode()))
                .isEqualTo(new Greeting.Address("tcp;ofi_rxm", "10.0.0.0/8"));
        assertThat(Greeting.Open.decode(new Greeting.Open(new byte[] {5, 6}).encode())
                        .initiator())
                .containsExactly(5, 6);
        assertThat(Greeting.Close.decode(new Greeting.Close(Long.MIN_VALUE).encode())
                        .id())
                .isEqualTo(Long.MIN_VALUE);
        Greeting.Opened read = Greeting.Opened.decode(opened.encode());
        assertThat(read.id()).isEqualTo(-2);
        assertThat(read.target()).containsExactly(1, 2, 3);
        assertThat(read.helloKey().plainKey()).isEqualTo(9);
        assertThat(read.hello()).isEqualTo(opened.hello());
    }

    @Test
    void anotherVersionIsNamed() {
        byte[] later = opened.encode();
        later[0] = 9;
        assertThatThrownBy(() -> Greeting.Opened.decode(later))
                .isInstanceOfSatisfying(
                        WeftException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INCOMPATIBLE))
                .hasMessageContaining("9");
    }

    @Test
    void whateverAPeerSendsIsReadOrRefusedWithACode() {
        Random random = new Random(SEED);
        byte[] good = opened.encode();
        for (int i = 0; i < 20_000; i++) {
            byte[] bytes = Arrays.copyOf(good, random.nextInt(good.length + 8));
            for (int flips = random.nextInt(4); flips > 0 && bytes.length > 0; flips--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            }
            try {
                Greeting.Opened.decode(bytes);
            } catch (WeftException refused) {
                assertThat(refused.code())
                        .as("seed %d input %d", SEED, i)
                        .isIn(ErrorCode.PROTOCOL, ErrorCode.INCOMPATIBLE, ErrorCode.DECODE_ERROR);
            }
        }
    }
}
