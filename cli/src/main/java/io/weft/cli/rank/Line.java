package io.weft.cli.rank;

import io.weft.api.ErrorCode;
import io.weft.api.WeftException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * One command line. Reads fields with errors that name them.
 *
 * @param node the JSON object
 */
record Line(JsonNode node) {
    String op() {
        return node.path("op").asString("");
    }

    /** Rooms are numbers or decimal strings of unsigned 64 bits. */
    long room() {
        JsonNode room = node.path("room");
        try {
            if (room.isIntegralNumber() || room.isString()) {
                return Long.parseUnsignedLong(room.asString());
            }
        } catch (NumberFormatException _) {
            // Told below with what was found.
        }
        throw invalid("'room' must be a whole unsigned 64-bit number or such a number as a string, found " + room);
    }

    boolean has(String name) {
        return node.hasNonNull(name);
    }

    int number(String name, int otherwise) {
        JsonNode value = node.path(name);
        if (value.isMissingNode() || value.isNull()) {
            return otherwise;
        }
        if (!value.isIntegralNumber() || !value.canConvertToInt()) {
            throw invalid("'" + name + "' must be a whole number, found " + value);
        }
        return value.asInt();
    }

    long seed() {
        JsonNode value = node.path("seed");
        if (!value.isIntegralNumber()) {
            throw invalid("'seed' must be a whole number, found " + value);
        }
        return value.asLong();
    }

    boolean flag(String name, boolean otherwise) {
        return node.path(name).asBoolean(otherwise);
    }

    String text(String name, String otherwise) {
        return node.path(name).asString(otherwise);
    }

    /** Numbers of an array, null if it is absent or null. */
    int @Nullable [] numbers(String name) {
        return numbers(name, node.path(name));
    }

    /** State indices per component with null entries, null if absent or null. */
    @Nullable
    List<int @Nullable []> lists(String name) {
        JsonNode lists = node.path(name);
        if (lists.isMissingNode() || lists.isNull()) {
            return null;
        }
        List<int @Nullable []> all = new ArrayList<>();
        for (JsonNode list : lists) {
            all.add(numbers(name, list));
        }
        return all;
    }

    private static int @Nullable [] numbers(String name, JsonNode array) {
        if (array.isMissingNode() || array.isNull()) {
            return null;
        }
        if (!array.isArray()) {
            throw invalid("'" + name + "' must be an array of whole numbers, found " + array);
        }
        int[] values = new int[array.size()];
        for (int i = 0; i < values.length; i++) {
            JsonNode value = array.get(i);
            if (!value.isIntegralNumber() || !value.canConvertToInt()) {
                throw invalid("'" + name + "' must be an array of whole numbers, found " + value + " in it");
            }
            values[i] = value.asInt();
        }
        return values;
    }

    static WeftException invalid(String text) {
        return new WeftException(ErrorCode.INVALID_ARGUMENT, text);
    }
}
