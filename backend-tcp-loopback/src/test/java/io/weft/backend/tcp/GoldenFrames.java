package io.weft.backend.tcp;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The golden frames of protocol v3. */
final class GoldenFrames {
    record Frame(String name, String kind, Map<String, Object> values, byte[] bytes) {
        @Override
        public String toString() {
            return name;
        }
    }

    private GoldenFrames() {}

    static List<Frame> all() {
        try (InputStream file = GoldenFrames.class.getResourceAsStream("golden-v3.json")) {
            return JsonMapper.shared()
                    .readTree(file)
                    .get("tcpBackendV3")
                    .valueStream()
                    .map(GoldenFrames::frame)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static byte[] bytes(String name) {
        return all().stream()
                .filter(frame -> frame.name().equals(name))
                .findFirst()
                .orElseThrow()
                .bytes();
    }

    private static Frame frame(JsonNode node) {
        Map<String, Object> values = new LinkedHashMap<>();
        node.get("values").propertyStream().forEach(field -> values.put(field.getKey(), plain(field.getValue())));
        return new Frame(
                node.get("name").asString(),
                node.get("kind").asString(),
                values,
                HexFormat.of().parseHex(node.get("hex").asString()));
    }

    private static Object plain(JsonNode value) {
        if (value.isArray()) {
            return value.valueStream().map(GoldenFrames::plain).toList();
        }
        return value.isIntegralNumber() ? (Object) value.longValue() : value.asString();
    }
}
