package io.weft.bootstrap;

import dev.failsafe.Failsafe;
import dev.failsafe.RetryPolicy;
import io.weft.api.ErrorCode;
import io.weft.api.WeftException;
import io.weft.kv.RankDirectory;
import io.weft.kv.wire.NetworkAddress;
import java.math.BigInteger;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Talks to registries, Weft's and SGLang's. Safe from any thread; calls block, bounded.
 *
 * @since 0.1
 */
public final class BootstrapClient implements RankDirectory, AutoCloseable {
    /** A lost packet should not fail a room; a dead registry should not hold its caller. */
    private static final RetryPolicy<Object> LOOK_UP = RetryPolicy.builder()
            .handleIf(e -> e instanceof WeftException w && w.code() == ErrorCode.UNREACHABLE)
            .withMaxRetries(1)
            .withDelay(Duration.ofMillis(100))
            .build();

    private final RegistryHttp http;
    private final Duration heartbeat;
    private volatile String operations = "";
    private final Set<KeepRegistered> kept = ConcurrentHashMap.newKeySet();

    /**
     * Makes a client.
     *
     * @param secret what registries must know and want to be known, null or empty for none
     * @param heartbeat how often a registration is renewed, at least a second
     */
    public BootstrapClient(@Nullable String secret, Duration heartbeat) {
        http = new RegistryHttp(secret);
        this.heartbeat = heartbeat.compareTo(Duration.ofSeconds(1)) < 0 ? Duration.ofSeconds(1) : heartbeat;
    }

    /**
     * Tells Weft's registry, with the next renewal, where this process serves operations, so that its page leads there.
     *
     * @param address {@code host:port}
     */
    public void operationsAt(String address) {
        operations = address;
    }

    @Override
    public Handle keepRegistered(String registry, Registration registration) {
        KeepRegistered keeping =
                new KeepRegistered(http, registry, registration, () -> operations, heartbeat, kept::remove);
        kept.add(keeping);
        keeping.start();
        return keeping;
    }

    @Override
    public Topology topology(String registry) {
        String what = "fetch the prefill topology";
        // Once: schedulers ask each second by themselves.
        HttpResponse<byte[]> answer = http.send(
                what,
                registry,
                "GET",
                "/route?prefill_dp_rank=-1&prefill_cp_rank=-1&target_tp_rank=-1&target_pp_rank=-1",
                new byte[0]);
        JsonNode json = json(what, registry, answer);
        return new Topology(
                size(what, registry, json, "attn_tp_size"),
                size(what, registry, json, "attn_cp_size"),
                size(what, registry, json, "dp_size"),
                size(what, registry, json, "pp_size"),
                json.path("page_size").isIntegralNumber()
                        ? (Integer) json.path("page_size").intValue()
                        : null,
                json.path("kv_cache_dtype").isString()
                        ? json.path("kv_cache_dtype").asString()
                        : null,
                !json.path("follow_bootstrap_room").isBoolean()
                        || json.path("follow_bootstrap_room").booleanValue(),
                json.path("enable_dsa_cache_layer_split").isBoolean()
                        && json.path("enable_dsa_cache_layer_split").booleanValue());
    }

    @Override
    public RankAddress rank(String registry, Coordinates c) {
        String what = "look up prefill rank dp " + c.dp() + ", cp " + c.cp() + ", tp " + c.tp() + ", pp " + c.pp();
        String path = "/route?prefill_dp_rank=" + c.dp() + "&prefill_cp_rank=" + c.cp() + "&target_tp_rank=" + c.tp()
                + "&target_pp_rank=" + c.pp();
        HttpResponse<byte[]> answer = lookUp(what, registry, "GET", path, new byte[0]);
        JsonNode json = json(what, registry, answer);
        String ip = json.path("rank_ip").isString() ? json.path("rank_ip").asString() : "";
        int port = json.path("rank_port").isIntegralNumber()
                ? json.path("rank_port").intValue()
                : -1;
        if (ip.isEmpty() || port < 1 || port > 65_535) {
            throw malformed(what, registry, "rank_ip or rank_port");
        }
        return new RankAddress(
                new NetworkAddress(ip, port),
                Routes.epoch(answer.headers().firstValue(Routes.EPOCH)).orElse(0L),
                HeaderText.decode(RegistryHttp.header(answer, Routes.ENGINE_KEY)));
    }

    @Override
    public void registerDpRank(String registry, long room, int dpRank) {
        String what = "register the DP rank of room " + Long.toUnsignedString(room);
        String body = "{\"bootstrap_room\":" + Long.toUnsignedString(room) + ",\"dp_rank\":" + dpRank + "}";
        HttpResponse<byte[]> answer = lookUp(what, registry, "POST", "/register_dp_rank", utf8(body));
        if (answer.statusCode() != 200) {
            throw refused(what, registry, answer);
        }
    }

    @Override
    public Map<Long, Integer> dpRanks(String registry, List<Long> rooms) {
        String what = "query the DP ranks of " + rooms.size() + " rooms";
        List<BigInteger> unsigned = rooms.stream()
                .map(r -> new BigInteger(Long.toUnsignedString(r)))
                .toList();
        byte[] body = JsonMapper.shared().writeValueAsBytes(Map.of("bootstrap_rooms", unsigned));
        JsonNode json = json(what, registry, lookUp(what, registry, "POST", "/query_dp_ranks", body));
        Map<Long, Integer> known = new HashMap<>();
        for (Map.Entry<String, JsonNode> entry : json.properties()) {
            try {
                if (entry.getValue().canConvertToInt()) {
                    known.put(
                            Long.parseUnsignedLong(entry.getKey()),
                            entry.getValue().intValue());
                }
            } catch (NumberFormatException noRoom) {
                throw malformed(what, registry, "a room");
            }
        }
        return known;
    }

    @Override
    public Optional<String> health(String registry) {
        try {
            int status = http.send("ask for health", registry, "GET", "/health", new byte[0])
                    .statusCode();
            return status == 200 ? Optional.empty() : Optional.of("registry " + registry + " answered " + status);
        } catch (WeftException unreachable) {
            return Optional.of(String.valueOf(unreachable.getMessage()));
        }
    }

    /** Ends what {@link #keepRegistered} began, and the connections. */
    @Override
    public void close() {
        kept.forEach(KeepRegistered::close);
        http.close();
    }

    private HttpResponse<byte[]> lookUp(String what, String registry, String method, String path, byte[] body) {
        return Failsafe.with(LOOK_UP).get(() -> http.send(what, registry, method, path, body));
    }

    private static JsonNode json(String what, String registry, HttpResponse<byte[]> answer) {
        if (answer.statusCode() != 200) {
            throw refused(what, registry, answer);
        }
        try {
            JsonNode json = JsonMapper.shared().readTree(answer.body());
            if (json.isObject()) {
                return json;
            }
        } catch (JacksonException noJson) {
            throw malformed(what, registry, "JSON");
        }
        throw malformed(what, registry, "a JSON object");
    }

    private static int size(String what, String registry, JsonNode json, String name) {
        JsonNode value = json.path(name);
        if (!value.canConvertToInt() || value.intValue() < 1) {
            throw malformed(what, registry, name);
        }
        return value.intValue();
    }

    static WeftException refused(String what, String registry, HttpResponse<byte[]> answer) {
        ErrorCode code = switch (answer.statusCode()) {
            case 400, 413 -> ErrorCode.INVALID_ARGUMENT;
            case 404 -> ErrorCode.NOT_REGISTERED;
            case 503 -> ErrorCode.RESOURCE_EXHAUSTED;
            default -> ErrorCode.PROTOCOL;
        };
        String text = new String(answer.body(), StandardCharsets.UTF_8).replaceAll("\\p{Cntrl}", " ");
        return new WeftException(
                code,
                what + " at registry " + registry + ": it answered " + answer.statusCode() + ": "
                        + (text.length() <= 300 ? text : text.substring(0, 300)));
    }

    private static WeftException malformed(String what, String registry, String missing) {
        return new WeftException(
                ErrorCode.PROTOCOL, what + " at registry " + registry + ": the answer has no usable " + missing);
    }

    static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
