package io.weft.cli.rank;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Writes events, one JSON object a line, each line whole. Safe from any thread. */
final class Events {
    private static final ObjectMapper JSON = JsonMapper.shared();

    private final OutputStream out;
    /** Rooms in the form they came in: number or string. */
    private final Map<Long, JsonNode> roomForms = new ConcurrentHashMap<>();

    Events(OutputStream out) {
        this.out = out;
    }

    static ObjectNode event(String name) {
        return JSON.createObjectNode().put("event", name);
    }

    /** An answer to a command: echoes its id. */
    static ObjectNode answer(String name, Line to) {
        ObjectNode event = event(name);
        if (to.has("id")) {
            event.set("id", to.node().get("id"));
        }
        return event;
    }

    void remember(long room, Line from) {
        roomForms.put(room, from.node().get("room"));
    }

    void forget(long room) {
        roomForms.remove(room);
    }

    void putRoom(ObjectNode event, long room) {
        JsonNode form = roomForms.get(room);
        if (form != null) {
            event.set("room", form);
        } else if (room >= 0) {
            event.put("room", room);
        } else {
            event.put("room", Long.toUnsignedString(room));
        }
    }

    void tell(ObjectNode event) {
        byte[] line = (JSON.writeValueAsString(event) + "\n").getBytes(StandardCharsets.UTF_8);
        synchronized (this) {
            try {
                out.write(line);
                out.flush();
            } catch (IOException e) {
                throw new UncheckedIOException("the driver does not read any more: " + e.getMessage(), e);
            }
        }
    }

    void error(Line line, String text) {
        ObjectNode event = answer("error", line).put("op", line.op());
        event.set("room", line.has("room") ? line.node().get("room") : JSON.nullNode());
        tell(event.put("text", text));
    }

    static ObjectNode sizes(Map<String, Integer> sizes) {
        ObjectNode node = JSON.createObjectNode();
        new TreeMap<>(sizes).forEach(node::put);
        return node;
    }
}
