package io.weft.backend.rdma;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.api.ErrorCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WcStatusTest {
    @ParameterizedTest
    @CsvSource(textBlock = """
            5,  IBV_WC_WR_FLUSH_ERR,      PEER_LOST
            8,  IBV_WC_LOC_ACCESS_ERR,    FABRIC
            10, IBV_WC_REM_ACCESS_ERR,    REMOTE_ACCESS
            12, IBV_WC_RETRY_EXC_ERR,     PEER_LOST
            13, IBV_WC_RNR_RETRY_EXC_ERR, PEER_LOST
            21, IBV_WC_GENERAL_ERR,       FABRIC
            """)
    void namesAreThoseOfTheHeader(int status, String name, ErrorCode code) {
        assertThat(WcStatus.describe(WcStatus.pack(status, 0))).startsWith(name + ": ");
        assertThat(WcStatus.codeOf(status)).isEqualTo(code);
    }

    @Test
    void theVendorsCodeIsShown() {
        assertThat(WcStatus.describe(WcStatus.pack(12, 0x81))).endsWith("(vendor error 0x81)");
    }

    @Test
    void whatIsNoStatusIsSaidToBeNone() {
        assertThat(WcStatus.describe(64_023)).startsWith("code 64023, which is no enum ibv_wc_status");
    }
}
