package io.weft.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

/** The routes of SGLang's bootstrap server, and what is mended in them. */
@Timeout(value = 30, unit = TimeUnit.SECONDS)
class RoutesTest {
    private static final String ALL = "prefill_dp_rank=-1&prefill_cp_rank=-1&target_tp_rank=-1&target_pp_rank=-1";

    private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 5);
    private final MemoryStore store = new MemoryStore();
    private final Registry registry = new Registry(store, clock::get, TimeUnit.SECONDS.toNanos(120), 3);
    private final Routes routes = new Routes(registry, clock::get);

    static Map<String, Object> registration(int tpSize, int tpRank, int port) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("attn_tp_size", tpSize);
        json.put("attn_tp_rank", tpRank);
        json.put("attn_cp_size", 1);
        json.put("attn_cp_rank", 0);
        json.put("attn_dp_size", 1);
        json.put("attn_dp_rank", 0);
        json.put("pp_size", 1);
        json.put("pp_rank", 0);
        json.put("system_dp_size", 1);
        json.put("system_dp_rank", 0);
        json.put("rank_ip", "10.0.0." + (tpRank + 1));
        json.put("rank_port", port);
        json.put("page_size", 16);
        json.put("kv_cache_dtype", "auto");
        json.put("load_balance_method", "follow_bootstrap_room");
        json.put("enable_dsa_cache_layer_split", false);
        json.put("prefill_http_port", 30_000);
        return json;
    }

    private static Map<String, Object> weft(Map<String, Object> json, String epoch, int heartbeat) {
        json.put("epoch", epoch);
        json.put("engine_key", "engine ü " + epoch.charAt(15));
        json.put("heartbeat_seconds", heartbeat);
        return json;
    }

    private Answer put(Map<String, Object> body) {
        return call("PUT", "/route", "", JsonMapper.shared().writeValueAsString(body));
    }

    private Answer putWeft(Map<String, Object> body) {
        return call("PUT", "/weft/v1/rank", "", JsonMapper.shared().writeValueAsString(body));
    }

    private Answer rank(int dp, int cp, int tp, int pp) {
        return call(
                "GET",
                "/route",
                "prefill_dp_rank=" + dp + "&prefill_cp_rank=" + cp + "&target_tp_rank=" + tp + "&target_pp_rank=" + pp,
                "");
    }

    private Answer topology() {
        return call("GET", "/route", ALL, "");
    }

    private Answer call(String method, String path, String query, String body) {
        return routes.answer(method, path, query, body.getBytes(StandardCharsets.UTF_8));
    }

    private static String text(Answer answer) {
        return new String(answer.body(), StandardCharsets.UTF_8);
    }

    @Test
    void topologyAndRanksHaveExactlyTheOriginalsShape() {
        assertThat(text(put(registration(1, 0, 5_000)))).isEqualTo("OK");
        assertThat(topology().status()).isEqualTo(200);
        assertThat(topology().type()).startsWith("application/json");
        assertThat(text(topology()))
                .isEqualTo("{\"attn_tp_size\":1,\"attn_cp_size\":1,\"dp_size\":1,\"pp_size\":1,\"page_size\":16,"
                        + "\"kv_cache_dtype\":\"auto\",\"follow_bootstrap_room\":true,"
                        + "\"enable_dsa_cache_layer_split\":false,\"prefill_http_port\":30000,\"target_tp_rank\":null,"
                        + "\"target_tp_ranks\":null,\"target_cp_ranks\":null,\"target_pp_ranks\":null,"
                        + "\"required_dst_info_num\":null,\"required_prefill_response_num\":null}");
        assertThat(text(rank(0, 0, 0, 0))).isEqualTo("{\"rank_ip\":\"10.0.0.1\",\"rank_port\":5000}");
        assertThat(rank(0, 0, 0, 0).headers()).isEmpty();
        assertThat(rank(0, 0, 1, 0).status()).isEqualTo(404);
    }

    @Test
    void optionalKeysHaveTheirDefaults() {
        Map<String, Object> body = registration(1, 0, 5_000);
        body.remove("load_balance_method");
        body.remove("enable_dsa_cache_layer_split");
        body.remove("prefill_http_port");
        body.put("page_size", null);
        body.put("kv_cache_dtype", null);
        assertThat(put(body).status()).isEqualTo(200);
        assertThat(text(topology()))
                .contains("\"page_size\":null,\"kv_cache_dtype\":null,\"follow_bootstrap_room\":true,"
                        + "\"enable_dsa_cache_layer_split\":false,\"prefill_http_port\":null");
        body.put("load_balance_method", "round_robin");
        put(body);
        assertThat(text(topology())).contains("\"follow_bootstrap_room\":false");
    }

    /** The original counts registrations: a repeated one makes it ready without a rank. */
    @Test
    void readyMeansEachRankOnce() {
        assertThat(topology().status()).isEqualTo(503);
        put(registration(2, 0, 5_000));
        put(registration(2, 0, 5_001));
        put(registration(2, 0, 5_002));
        assertThat(topology().status()).isEqualTo(503);
        assertThat(text(topology())).contains("1 of 2");
        assertThat(rank(0, 0, 0, 0).status()).isEqualTo(503);
        put(registration(2, 1, 5_003));
        assertThat(topology().status()).isEqualTo(200);
        assertThat(text(rank(0, 0, 0, 0))).contains("5002");
    }

    /** The original keeps the first topology for ever. */
    @Test
    void anInstanceThatComesBackWithOtherSizesIsDescribedRightly() {
        put(registration(2, 0, 5_000));
        put(registration(2, 1, 5_001));
        put(registration(1, 0, 6_000));
        assertThat(text(topology())).contains("\"attn_tp_size\":1");
        assertThat(rank(0, 0, 1, 0).status()).isEqualTo(404);
        put(registration(4, 0, 7_000));
        assertThat(text(topology())).contains("1 of 4");
    }

    @Test
    void theReplicaIsTheDpRankWithoutDpAttention() {
        for (int replica = 0; replica < 2; replica++) {
            Map<String, Object> body = registration(1, 0, 5_000 + replica);
            body.put("system_dp_size", 2);
            body.put("system_dp_rank", replica);
            put(body);
        }
        assertThat(text(topology())).contains("\"dp_size\":2");
        assertThat(text(rank(1, 0, 0, 0))).contains("5001");
    }

    @Test
    void whatIsWeftsOwnTravelsInHeaders() {
        putWeft(weft(registration(1, 0, 5_000), "000000000000000a", 5));
        Answer answer = rank(0, 0, 0, 0);
        assertThat(text(answer)).isEqualTo("{\"rank_ip\":\"10.0.0.1\",\"rank_port\":5000}");
        assertThat(answer.headers()).containsEntry("Weft-Epoch", "000000000000000a");
        assertThat(HeaderText.decode(answer.headers().get("Weft-Engine-Key"))).isEqualTo("engine ü a");
        putWeft(weft(registration(1, 0, 6_000), "000000000000000b", 5));
        assertThat(text(rank(0, 0, 0, 0))).contains("6000");
        assertThat(text(call("GET", "/weft/v1/ranks", "", "")))
                .contains("\"ready\":true")
                .contains("000000000000000b");
    }

    @Test
    void onlyWhoAnnouncedHeartbeatsExpiresWithoutThem() {
        putWeft(weft(registration(2, 0, 5_000), "000000000000000a", 5));
        put(registration(2, 1, 5_001));
        clock.addAndGet(TimeUnit.SECONDS.toNanos(14));
        assertThat(topology().status()).isEqualTo(200);
        putWeft(weft(registration(2, 0, 5_000), "000000000000000a", 5));
        clock.addAndGet(TimeUnit.SECONDS.toNanos(14));
        assertThat(topology().status()).isEqualTo(200);
        clock.addAndGet(TimeUnit.SECONDS.toNanos(2));
        assertThat(text(topology())).contains("1 of 2");
        clock.addAndGet(TimeUnit.DAYS.toNanos(30));
        assertThat(text(topology())).contains("1 of 2");
    }

    @Test
    void aSilentRankIsForgottenAfterRepeatedFailedChecks() {
        put(registration(1, 0, 5_000));
        RankEntry entry = registry.ranks().iterator().next();
        registry.checked(entry, false);
        registry.checked(entry, false);
        registry.checked(entry, true);
        registry.checked(entry, false);
        registry.checked(entry, false);
        assertThat(topology().status()).isEqualTo(200);
        registry.checked(entry, false);
        assertThat(topology().status()).isEqualTo(503);
        // What was found of an entry that is replaced says nothing of its successor.
        clock.incrementAndGet();
        put(registration(1, 0, 6_000));
        for (int i = 0; i < 5; i++) {
            registry.checked(entry, false);
        }
        assertThat(topology().status()).isEqualTo(200);
    }

    @Test
    void onlyTheRegistrantMayDeregister() {
        putWeft(weft(registration(1, 0, 5_000), "000000000000000a", 5));
        String other = "{\"dp\":0,\"cp\":0,\"tp\":0,\"pp\":0,\"epoch\":\"000000000000000b\"}";
        assertThat(call("DELETE", "/weft/v1/rank", "", other).status()).isEqualTo(404);
        assertThat(call("DELETE", "/weft/v1/rank", "", other.replace("00b", "00a"))
                        .status())
                .isEqualTo(200);
        assertThat(topology().status()).isEqualTo(503);
    }

    @Test
    void roomsAreTheWholeUnsignedRangeAndAreForgotten() {
        for (String room : new String[] {"0", "7", "18446744073709551615"}) {
            assertThat(call("POST", "/register_dp_rank", "", "{\"bootstrap_room\":" + room + ",\"dp_rank\":3}")
                            .status())
                    .isEqualTo(200);
        }
        call("POST", "/register_dp_rank", "", "{\"bootstrap_room\":7,\"dp_rank\":4}");
        String ask = "{\"bootstrap_rooms\":[0,7,8,18446744073709551615]}";
        assertThat(text(call("POST", "/query_dp_ranks", "", ask)))
                .isEqualTo("{\"0\":3,\"7\":4,\"18446744073709551615\":3}");
        clock.addAndGet(TimeUnit.SECONDS.toNanos(121));
        assertThat(text(call("POST", "/query_dp_ranks", "", ask))).isEqualTo("{}");
    }

    @Test
    void theOldestRoomsGoWhenThereAreTooMany() {
        for (int room = 0; room < 10; room++) {
            store.putRoom(room, 0, clock.get());
        }
        store.forgetRooms(clock.get() - 1, 4);
        assertThat(store.room(5)).isEmpty();
        assertThat(store.room(6)).isPresent();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            PUT    | /route            |                    | nonsense            | 400 | no JSON
            PUT    | /route            |                    | []                  | 400 | no JSON object
            PUT    | /route            |                    | {}                  | 400 | system_dp_size is missing
            GET    | /route            | prefill_dp_rank=-1 |                     | 400 | prefill_cp_rank is missing
            GET    | /route            | prefill_dp_rank=x&prefill_cp_rank=0&target_tp_rank=0&target_pp_rank=0 | | 400 | no integer
            GET    | /route            | prefill_dp_rank=%zz&prefill_cp_rank=0&target_tp_rank=0&target_pp_rank=0 | | 400 | malformed
            POST   | /route            |                    |                     | 405 | not allowed
            GET    | /register_dp_rank |                    |                     | 405 | not allowed
            POST   | /register_dp_rank |                    | {"bootstrap_room":-1,"dp_rank":0} | 400 | bootstrap_room
            POST   | /register_dp_rank |                    | {"bootstrap_room":1.5,"dp_rank":0} | 400 | bootstrap_room
            POST   | /register_dp_rank |                    | {"bootstrap_room":18446744073709551616,"dp_rank":0} | 400 | bootstrap_room
            POST   | /register_dp_rank |                    | {"bootstrap_room":1} | 400 | dp_rank is missing
            POST   | /query_dp_ranks   |                    | {"bootstrap_rooms":5} | 400 | list
            PUT    | /weft/v1/rank     |                    | {"epoch":"x"}        | 400 | missing
            GET    | /health           |                    |                     | 200 | OK
            GET    | /nowhere          |                    |                     | 404 | /nowhere
            """)
    void everyOtherRequestHasAReason(String method, String path, String query, String body, int status, String words) {
        Answer answer = call(method, path, query == null ? "" : query, body == null ? "" : body);
        assertThat(answer.status()).isEqualTo(status);
        assertThat(text(answer)).contains(words);
    }

    @ParameterizedTest
    @ValueSource(strings = {"attn_tp_rank", "rank_port", "page_size", "rank_ip", "attn_tp_size"})
    void aWrongValueIsNamed(String key) {
        Map<String, Object> body = registration(1, 0, 5_000);
        body.put(key, key.equals("rank_ip") ? (Object) 5 : (Object) 99_999_999_999L);
        assertThat(put(body).status()).isEqualTo(400);
        assertThat(text(put(body))).contains(key + " is ");
    }

    @Test
    void deeplyNestedBodiesAreBadBodies() {
        assertThat(call("PUT", "/route", "", "{\"a\":" + "[".repeat(100_000)).status())
                .isEqualTo(400);
    }
}
