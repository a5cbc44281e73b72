package io.weft.bootstrap;

import io.weft.bootstrap.RankEntry.Key;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads bodies that anybody may send; says what is wrong with them. */
final class RegistrationReader {
    private static final BigInteger MAX_ROOM = BigInteger.ONE.shiftLeft(64).subtract(BigInteger.ONE);
    private static final int MAX_SIZE = 65_536;
    private static final int MAX_TEXT = 1_024;
    private static final int MAX_CAPABILITIES = 64;
    private static final long MAX_HEARTBEAT_SECONDS = 3_600;
    /** A rank is given up when so many heartbeats are missing. */
    private static final int MISSING_HEARTBEATS = 3;

    /** What is wrong with a body. */
    static final class BadBody extends Exception {
        private static final long serialVersionUID = 1L;

        BadBody(String found) {
            super(found, null, false, false);
        }
    }

    private final JsonNode body;

    private RegistrationReader(JsonNode body) {
        this.body = body;
    }

    static RegistrationReader of(byte[] bytes) throws BadBody {
        try {
            JsonNode body = JsonMapper.shared().readTree(bytes);
            if (!body.isObject()) {
                throw new BadBody("the body is no JSON object");
            }
            return new RegistrationReader(body);
        } catch (JacksonException | StackOverflowError broken) {
            throw new BadBody("the body is no JSON");
        }
    }

    /** A registration; Weft's own keys are read only where the route is Weft's own. */
    RankEntry rank(boolean weft, long now) throws BadBody {
        int systemDp = number("system_dp_size", 1, MAX_SIZE);
        int attentionDp = number("attn_dp_size", 1, MAX_SIZE);
        int dpSize = systemDp == 1 ? attentionDp : systemDp;
        Topology topology = new Topology(
                number("attn_tp_size", 1, MAX_SIZE),
                number("attn_cp_size", 1, MAX_SIZE),
                dpSize,
                number("pp_size", 1, MAX_SIZE),
                nullable("page_size") ? null : (Integer) number("page_size", 1, Integer.MAX_VALUE),
                nullable("kv_cache_dtype") ? null : text("kv_cache_dtype"),
                !body.hasNonNull("load_balance_method")
                        || text("load_balance_method").equals("follow_bootstrap_room"),
                body.hasNonNull("enable_dsa_cache_layer_split") && flag("enable_dsa_cache_layer_split"),
                body.hasNonNull("prefill_http_port") ? (Integer) number("prefill_http_port", 0, 65_535) : null);
        int attentionDpRank = rank("attn_dp_rank", attentionDp);
        int systemDpRank = rank("system_dp_rank", systemDp);
        Key key = new Key(
                systemDp == 1 ? attentionDpRank : systemDpRank,
                rank("attn_cp_rank", topology.cpSize()),
                rank("attn_tp_rank", topology.tpSize()),
                rank("pp_rank", topology.ppSize()));
        String ip = text("rank_ip");
        int port = number("rank_port", 1, 65_535);
        if (!weft) {
            return new RankEntry(key, topology, ip, port, 0, "", List.of(), "", 0, now);
        }
        long lease = body.hasNonNull("heartbeat_seconds")
                ? TimeUnit.SECONDS.toNanos(
                        (long) MISSING_HEARTBEATS * number("heartbeat_seconds", 1, MAX_HEARTBEAT_SECONDS))
                : 0;
        return new RankEntry(
                key,
                topology,
                ip,
                port,
                epoch(),
                body.hasNonNull("engine_key") ? text("engine_key") : "",
                capabilities(),
                body.hasNonNull("operations") ? text("operations") : "",
                lease,
                now);
    }

    Key key() throws BadBody {
        return new Key(
                number("dp", 0, MAX_SIZE),
                number("cp", 0, MAX_SIZE),
                number("tp", 0, MAX_SIZE),
                number("pp", 0, MAX_SIZE));
    }

    /** 16 hex digits: JSON numbers of 64 bits do not survive every reader. */
    long epoch() throws BadBody {
        String hex = text("epoch");
        if (!hex.matches("[0-9a-f]{16}")) {
            throw new BadBody("epoch is '" + hex + "', must be 16 lower-case hex digits");
        }
        return Long.parseUnsignedLong(hex, 16);
    }

    long room() throws BadBody {
        return room("bootstrap_room", required("bootstrap_room"));
    }

    int dpRank() throws BadBody {
        return number("dp_rank", 0, Integer.MAX_VALUE);
    }

    List<Long> rooms(int max) throws BadBody {
        JsonNode list = required("bootstrap_rooms");
        if (!list.isArray() || list.size() > max) {
            throw new BadBody("bootstrap_rooms must be a list of at most " + max + " rooms");
        }
        List<Long> rooms = new ArrayList<>(list.size());
        for (JsonNode room : list) {
            rooms.add(room("bootstrap_rooms", room));
        }
        return rooms;
    }

    private static long room(String name, JsonNode value) throws BadBody {
        BigInteger room = value.isIntegralNumber() ? value.bigIntegerValue() : BigInteger.ONE.negate();
        if (room.signum() < 0 || room.compareTo(MAX_ROOM) > 0) {
            throw new BadBody(name + " must hold integers from 0 to " + MAX_ROOM);
        }
        return room.longValue();
    }

    private List<String> capabilities() throws BadBody {
        List<String> found = new ArrayList<>();
        if (body.hasNonNull("capabilities")) {
            JsonNode list = body.get("capabilities");
            if (!list.isArray() || list.size() > MAX_CAPABILITIES) {
                throw new BadBody("capabilities must be a list of at most " + MAX_CAPABILITIES + " names");
            }
            for (JsonNode name : list) {
                if (!name.isString() || !name.asString().matches("[a-z0-9.-]{1,64}")) {
                    throw new BadBody("capabilities must be names of lower-case letters, digits, '.' and '-'");
                }
                found.add(name.asString());
            }
        }
        return found;
    }

    /** Present, as every registration has it, and perhaps null. */
    private boolean nullable(String name) throws BadBody {
        return required(name).isNull();
    }

    private int rank(String name, int size) throws BadBody {
        return number(name, 0, size - 1);
    }

    private int number(String name, int min, long max) throws BadBody {
        JsonNode value = required(name);
        if (!value.isIntegralNumber() || !value.canConvertToInt() || value.intValue() < min || value.intValue() > max) {
            throw new BadBody(name + " is " + shown(value) + ", must be an integer from " + min + " to " + max);
        }
        return value.intValue();
    }

    private String text(String name) throws BadBody {
        JsonNode value = required(name);
        if (!value.isString() || value.asString().isEmpty() || value.asString().length() > MAX_TEXT) {
            throw new BadBody(name + " is " + shown(value) + ", must be a text of 1 to " + MAX_TEXT + " characters");
        }
        return value.asString();
    }

    private boolean flag(String name) throws BadBody {
        JsonNode value = required(name);
        if (!value.isBoolean()) {
            throw new BadBody(name + " is " + shown(value) + ", must be true or false");
        }
        return value.booleanValue();
    }

    private JsonNode required(String name) throws BadBody {
        @Nullable JsonNode value = body.get(name);
        if (value == null) {
            throw new BadBody("key " + name + " is missing");
        }
        return value;
    }

    private static String shown(JsonNode value) {
        String text = value.toString();
        return text.length() <= 60 ? text : text.substring(0, 60) + "...";
    }
}
