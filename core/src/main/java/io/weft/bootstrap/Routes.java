package io.weft.bootstrap;

import io.weft.bootstrap.RankEntry.Key;
import io.weft.bootstrap.RegistrationReader.BadBody;
import io.weft.spi.EngineClock;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Method, path, query and body in, answer out; knows no socket. Safe from any thread. */
final class Routes {
    /** Weft's own registration; an older registry answers 404 to it. */
    static final String WEFT_RANK = "/weft/v1/rank";

    static final String WEFT_RANKS = "/weft/v1/ranks";
    static final String EPOCH = "Weft-Epoch";
    static final String ENGINE_KEY = "Weft-Engine-Key";
    static final String CAPABILITIES = "Weft-Capabilities";
    static final int MAX_BODY = 4 * 1024 * 1024;
    private static final int MAX_ROOMS_ASKED = 100_000;
    private static final List<String> COORDINATES =
            List.of("prefill_dp_rank", "prefill_cp_rank", "target_tp_rank", "target_pp_rank");

    private final Registry registry;
    private final EngineClock clock;

    Routes(Registry registry, EngineClock clock) {
        this.registry = registry;
        this.clock = clock;
    }

    Answer answer(String method, String path, String query, byte[] body) {
        try {
            return switch (path) {
                case "/health" ->
                    method.equals("GET") || method.equals("HEAD") ? Answer.ok() : Answer.methodNotAllowed();
                case "/route" ->
                    switch (method) {
                        case "PUT" -> register(body, false);
                        case "GET" -> route(query);
                        default -> Answer.methodNotAllowed();
                    };
                case "/register_dp_rank" -> method.equals("POST") ? registerRoom(body) : Answer.methodNotAllowed();
                case "/query_dp_ranks" -> method.equals("POST") ? rooms(body) : Answer.methodNotAllowed();
                case WEFT_RANK ->
                    switch (method) {
                        case "PUT" -> register(body, true);
                        case "DELETE" -> deregister(body);
                        default -> Answer.methodNotAllowed();
                    };
                case WEFT_RANKS -> method.equals("GET") ? ranks() : Answer.methodNotAllowed();
                default -> Answer.text(404, "no such route: " + path);
            };
        } catch (BadBody wrong) {
            return Answer.text(400, method + " " + path + ": " + wrong.getMessage());
        }
    }

    private Answer register(byte[] body, boolean weft) throws BadBody {
        registry.register(RegistrationReader.of(body).rank(weft, clock.nanos()));
        return Answer.ok();
    }

    private Answer deregister(byte[] body) throws BadBody {
        RegistrationReader in = RegistrationReader.of(body);
        return registry.deregister(in.key(), in.epoch())
                ? Answer.ok()
                : Answer.text(404, "no rank of that epoch is registered there");
    }

    private Answer registerRoom(byte[] body) throws BadBody {
        RegistrationReader in = RegistrationReader.of(body);
        registry.registerRoom(in.room(), in.dpRank());
        return Answer.ok();
    }

    private Answer rooms(byte[] body) throws BadBody {
        List<Long> asked = RegistrationReader.of(body).rooms(MAX_ROOMS_ASKED);
        Map<String, Object> json = new LinkedHashMap<>();
        registry.rooms(asked).forEach((room, dp) -> json.put(Long.toUnsignedString(room), dp));
        return Answer.json(json);
    }

    private Answer route(String query) throws BadBody {
        Map<String, String> parameters = parameters(query);
        List<Integer> at = new ArrayList<>();
        for (String name : COORDINATES) {
            String value = parameters.getOrDefault(name, "");
            if (value.isEmpty()) {
                return Answer.text(
                        400, "query parameter " + name + " is missing; all of " + COORDINATES + " are needed");
            }
            at.add(integer(name, value));
        }
        if (!registry.isReady()) {
            return Answer.text(503, notReady());
        }
        if (at.stream().allMatch(n -> n == -1)) {
            return registry.topology().map(t -> Answer.json(t.json())).orElseGet(() -> Answer.text(503, notReady()));
        }
        return registry.find(new Key(at.get(0), at.get(1), at.get(2), at.get(3)))
                .map(Routes::rank)
                .orElseGet(() -> Answer.text(
                        404,
                        "no prefill rank with dp " + at.get(0) + ", cp " + at.get(1) + ", tp " + at.get(2) + ", pp "
                                + at.get(3) + " is registered"));
    }

    private String notReady() {
        long needed = registry.topology().map(Topology::ranks).orElse(0L);
        return needed == 0
                ? "no prefill rank has registered yet"
                : registry.registered() + " of " + needed + " prefill ranks have registered";
    }

    /** What is Weft's own goes into headers: another key would break older decode ranks. */
    private static Answer rank(RankEntry entry) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("rank_ip", entry.ip());
        json.put("rank_port", entry.port());
        Answer answer = Answer.json(json);
        return entry.epoch() == 0
                ? answer
                : answer.with(EPOCH, HexFormat.of().toHexDigits(entry.epoch()))
                        .with(ENGINE_KEY, HeaderText.encode(entry.engineKey()))
                        .with(CAPABILITIES, String.join(",", entry.capabilities()));
    }

    /** For people and tools: everything, in the order of the coordinates. */
    private Answer ranks() {
        List<Map<String, Object>> list = registry.ranks().stream()
                .sorted((a, b) -> compare(a.key(), b.key()))
                .map(e -> {
                    Map<String, Object> json = new LinkedHashMap<>();
                    json.put("dp", e.key().dp());
                    json.put("cp", e.key().cp());
                    json.put("tp", e.key().tp());
                    json.put("pp", e.key().pp());
                    json.put("rank_ip", e.ip());
                    json.put("rank_port", e.port());
                    json.put("epoch", HexFormat.of().toHexDigits(e.epoch()));
                    json.put("engine_key", e.engineKey());
                    json.put("capabilities", e.capabilities());
                    json.put("operations", e.operations());
                    json.put("silent_millis", (clock.nanos() - e.heardNanos()) / 1_000_000);
                    json.put("heartbeat", e.leaseNanos() > 0);
                    return json;
                })
                .toList();
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("ready", registry.isReady());
        json.put("ranks", list);
        return Answer.json(json);
    }

    private static int compare(Key a, Key b) {
        int[] left = {a.dp(), a.cp(), a.tp(), a.pp()};
        int[] right = {b.dp(), b.cp(), b.tp(), b.pp()};
        return java.util.Arrays.compare(left, right);
    }

    private static int integer(String name, String value) throws BadBody {
        try {
            return Integer.parseInt(value);
        } catch (NumberFormatException notANumber) {
            throw new BadBody("query parameter " + name + " is no integer");
        }
    }

    private static Map<String, String> parameters(String query) throws BadBody {
        Map<String, String> parameters = new HashMap<>();
        for (String pair : query.split("&")) {
            int equals = pair.indexOf('=');
            if (equals > 0) {
                try {
                    parameters.put(
                            pair.substring(0, equals),
                            URLDecoder.decode(pair.substring(equals + 1), StandardCharsets.UTF_8));
                } catch (IllegalArgumentException malformed) {
                    throw new BadBody("the query is malformed");
                }
            }
        }
        return parameters;
    }

    /** Looks at nothing but headers: which rank answered a look-up. */
    static Optional<Long> epoch(Optional<String> header) {
        return header.filter(h -> h.matches("[0-9a-f]{16}")).map(h -> Long.parseUnsignedLong(h, 16));
    }
}
