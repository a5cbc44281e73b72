package io.weft.cli.ranks;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The commands and events of a rank that only two ranks together show. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class RankLanguageIT {
    /** All 64 bits set, in the form of a string, which must come back as one. */
    private static final String LAST_ROOM = "18446744073709551615";

    @TempDir
    Path directory;

    @Test
    void aRoomIsToldFromItsPrefixToItsReceipt() throws Exception {
        try (Ranks ranks = new Ranks(directory, Map.of())) {
            JsonProcess prefill = ranks.startPrefill(Ranks.layout());
            JsonProcess decode = ranks.startDecode(Ranks.layout());
            ranks.awaitReady();
            prefill.send(Map.of("op", "fill", "id", 7, "seed", Ranks.SEED, "pages", Ranks.SOURCE, "auxIndex", 1));
            assertThat(prefill.await("filled").get("id").intValue()).isEqualTo(7);
            prefill.send(Map.of("op", "open", "room", 5));
            decode.send(Map.of(
                    "op",
                    "recv",
                    "room",
                    LAST_ROOM,
                    "pages",
                    Ranks.DESTINATION,
                    "auxIndex",
                    2,
                    "prefixLen",
                    8,
                    "dumpOnSuccess",
                    true,
                    "ignored",
                    "key"));
            prefill.send(Map.of("op", "send", "room", LAST_ROOM, "pages", Ranks.SOURCE, "auxIndex", 1));

            JsonNode prefix = prefill.await("prefix");
            assertThat(prefix.get("room").isString()).isTrue();
            assertThat(prefix.get("decodePrefixLen").intValue()).isEqualTo(8);
            JsonNode success = decode.await("room", e -> isEnd(e, LAST_ROOM));
            assertThat(success.get("status").asString()).as("%s", success).isEqualTo("Success");
            assertThat(success.get("reason").isNull()).isTrue();
            assertThat(decode.await("metric").get("bytes").longValue())
                    .isEqualTo(success.get("bytes").longValue())
                    .isPositive();
            assertSamePages(prefill, decode);
            assertStats(prefill);
        }
    }

    @Test
    void whatCannotBeDoneIsAnErrorWithItsCommandsId() throws Exception {
        try (Ranks ranks = new Ranks(directory, Map.of())) {
            JsonProcess decode = ranks.startDecode(Ranks.layout());
            decode.await("ready");
            decode.send(Map.of("op", "fault", "id", "f", "delayMs", 1));
            JsonNode error =
                    decode.await("error", e -> e.path("id").asString("").equals("f"));
            assertThat(error.get("op").asString()).isEqualTo("fault");
            assertThat(error.get("text").asString()).contains("decode rank knows no op 'fault'");
            decode.send(Map.of("op", "recv", "id", "r", "room", 1, "pages", List.of(24), "auxIndex", 2));
            assertThat(decode.await("error", e -> e.path("id").asString("").equals("r"))
                            .get("text")
                            .asString())
                    .contains("24");
            decode.send(Map.of("op", "quit"));
            decode.await("bye");
        }
    }

    private static void assertSamePages(JsonProcess prefill, JsonProcess decode) {
        JsonNode arrived = decode.await("dump", e -> e.path("id").asString("").equals("success-" + LAST_ROOM));
        prefill.send(Map.of("op", "dump", "id", "source", "buffer", "kv", "pages", Ranks.SOURCE));
        JsonNode sent = prefill.await("dump", e -> e.path("id").asString("").equals("source"));
        assertThat(arrived.get("parts")).hasSize(4).isEqualTo(sent.get("parts"));
    }

    private static void assertStats(JsonProcess prefill) {
        prefill.await("room", e -> isEnd(e, LAST_ROOM));
        prefill.send(Map.of("op", "stats", "id", "s"));
        JsonNode stats = prefill.await("stats");
        assertThat(stats.get("id").asString()).isEqualTo("s");
        assertThat(stats.get("rooms").get("succeeded").intValue()).isEqualTo(1);
        assertThat(stats.get("roomsByState")).hasSize(1);
        assertThat(stats.get("roomsByState").get("Bootstrapping").intValue()).isEqualTo(1);
        assertThat(stats.get("receipts")).hasSize(1);
        JsonNode receipt = stats.get("receipts").get(0);
        assertThat(receipt.get("state").asString()).isEqualTo("SUCCEEDED");
        assertThat(receipt.get("backend").asString()).isEqualTo("tcp");
        // 6 pages of 4 tokens, 8 heads of 32 bytes, in 4 tensors.
        assertThat(receipt.get("bytes").longValue()).isEqualTo(6L * 4 * 8 * 32 * 4);
    }

    private static boolean isEnd(JsonNode event, String room) {
        String status = event.path("status").asString("");
        return event.path("room").asString("").equals(room) && (status.equals("Success") || status.equals("Failed"));
    }
}
