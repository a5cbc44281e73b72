package io.weft.cli;

import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** JSON for machines: maps, lists, strings, numbers and booleans. */
final class Json {
    private static final JsonMapper MAPPER =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    private Json() {}

    /** On one line, as processes talk to each other. */
    static String line(Object value) {
        return JsonMapper.shared().writeValueAsString(value);
    }

    static String write(Object value) {
        return MAPPER.writeValueAsString(value);
    }
}
