package io.weft.backend.rdma;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.api.ErrorCode;
import io.weft.api.WeftException;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class QpAddressTest {
    private static final long SEED = Long.getLong("weft.test.seed", System.nanoTime());

    @Test
    void everyFieldSurvives() {
        byte[] gid = new byte[16];
        new Random(SEED).nextBytes(gid);
        QpAddress address = new QpAddress(
                List.of(new QpAddress.End(0xabcdef, 0x123456), new QpAddress.End(1, 2)),
                gid,
                65_535,
                5,
                16,
                200,
                true,
                Long.MIN_VALUE,
                -1,
                0x80000001);

        QpAddress read = QpAddress.decode(address.encode());

        assertThat(read).usingRecursiveComparison().isEqualTo(address);
        assertThat(QpAddress.decodeClose(QpAddress.encodeClose(-3))).isEqualTo(-3);
    }

    @Test
    void whateverAPeerSendsIsReadOrRefusedWithACode() {
        Random random = new Random(SEED);
        byte[] good = new QpAddress(List.of(new QpAddress.End(1, 2)), new byte[16], 0, 3, 1, 1, true, 4, 5, 6).encode();
        for (int i = 0; i < 20_000; i++) {
            byte[] bytes = Arrays.copyOf(good, random.nextInt(good.length + 8));
            for (int flips = random.nextInt(4); flips > 0 && bytes.length > 0; flips--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            }
            try {
                QpAddress.decode(bytes);
            } catch (WeftException refused) {
                assertThat(refused.code())
                        .as("seed %d input %d", SEED, i)
                        .isIn(ErrorCode.PROTOCOL, ErrorCode.INCOMPATIBLE);
            }
        }
    }
}
