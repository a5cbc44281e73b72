package io.weft.cli.vectors;

import io.weft.spi.WireVectors;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Vectors of a backend's wire: encoded to the bytes given, decoded to the values given. */
final class BackendChecks {
    private BackendChecks() {}

    /** A codec offers the part of a kind before the parenthesis; the rest of the kind tells which message. */
    static Optional<WireVectors> codec(List<WireVectors> backends, String kind) {
        int parenthesis = kind.indexOf('(');
        String family = parenthesis < 0 ? kind : kind.substring(0, parenthesis);
        return backends.stream()
                .filter(b -> b.kinds().contains(family) || b.kinds().contains(kind))
                .findFirst();
    }

    static Outcome run(Vector v, WireVectors codec) {
        JsonNode values = v.body().get("values");
        String hex = v.body().get("hex").asString();
        try {
            byte[] encoded = codec.encode(v.kind(), asMap(values));
            if (!Nodes.hex(encoded).equals(hex)) {
                return Outcome.failed(v, hex, Nodes.hex(encoded));
            }
            JsonNode decoded =
                    Nodes.tree(codec.decode(v.kind(), Nodes.bytes(v.body().get("hex"))));
            return Nodes.matches(Nodes.tree(values), decoded)
                    ? Outcome.passed(v)
                    : Outcome.failed(v, values.toString(), decoded.toString());
        } catch (RuntimeException thrown) {
            return Outcome.failed(v, hex, thrown.toString());
        }
    }

    /** Of a vector that mixes inputs and results, the results. */
    static JsonNode only(JsonNode vector, JsonNode actual) {
        ObjectNode results = JsonMapper.shared().createObjectNode();
        actual.propertyStream()
                .filter(p -> vector.has(p.getKey()))
                .forEach(p -> results.set(p.getKey(), vector.get(p.getKey())));
        return results;
    }

    /** Integers as {@code Long}, as the service promises. */
    private static Map<String, Object> asMap(JsonNode values) {
        Object plain = plain(values);
        @SuppressWarnings("unchecked") // an object node becomes a map with string keys
        Map<String, Object> map = (Map<String, Object>) plain;
        return map;
    }

    private static Object plain(JsonNode node) {
        if (node.isObject()) {
            Map<String, Object> map = new LinkedHashMap<>();
            node.propertyStream().forEach(p -> map.put(p.getKey(), plain(p.getValue())));
            return map;
        }
        if (node.isArray()) {
            return node.valueStream().map(BackendChecks::plain).toList();
        }
        if (node.isIntegralNumber()) {
            return node.longValue();
        }
        return node.isBoolean() ? (Object) node.booleanValue() : node.asString();
    }
}
