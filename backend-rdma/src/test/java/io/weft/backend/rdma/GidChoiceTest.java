package io.weft.backend.rdma;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class GidChoiceTest {
    private static final String IPV4 = "00000000000000000000ffff0a010001";
    private static final String LINK_LOCAL = "fe800000000000009cd28cfffe1b1294";

    private static int score(String gid, String type) {
        return GidChoice.score(HexFormat.of().parseHex(gid), type);
    }

    @Test
    void roceV2WithAnIpv4AddressComesFirstAndEmptyEntriesLast() {
        assertThat(score(IPV4, "RoCE v2")).isGreaterThan(score(LINK_LOCAL, "RoCE v2"));
        assertThat(score(LINK_LOCAL, "RoCE v2")).isGreaterThan(score(IPV4, "IB/RoCE v1"));
        assertThat(score(IPV4, "IB/RoCE v1")).isGreaterThan(score(LINK_LOCAL, "IB/RoCE v1"));
        assertThat(score("00".repeat(16), "")).isNegative();
    }
}
