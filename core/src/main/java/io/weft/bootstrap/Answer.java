package io.weft.bootstrap;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * What a route answers.
 *
 * @param status HTTP status
 * @param type content type
 * @param body the body
 * @param headers further headers
 */
record Answer(int status, String type, byte[] body, Map<String, String> headers) {
    private static final String TEXT = "text/plain; charset=utf-8";
    private static final String JSON = "application/json; charset=utf-8";

    static Answer text(int status, String text) {
        return new Answer(status, TEXT, text.getBytes(StandardCharsets.UTF_8), Map.of());
    }

    static Answer ok() {
        return text(200, "OK");
    }

    static Answer json(Map<String, ? extends @Nullable Object> json) {
        return new Answer(200, JSON, JsonMapper.shared().writeValueAsBytes(json), Map.of());
    }

    /** As the original does for {@code /route}: a text that calls itself JSON. */
    static Answer methodNotAllowed() {
        return new Answer(405, JSON, "Method not allowed".getBytes(StandardCharsets.UTF_8), Map.of());
    }

    Answer with(String header, String value) {
        Map<String, String> all = new LinkedHashMap<>(headers);
        all.put(header, value);
        return new Answer(status, type, body, all);
    }
}
