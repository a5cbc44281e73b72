package io.weft.cli.vectors;

import io.weft.api.ErrorCode;
import io.weft.api.WeftException;
import java.math.BigInteger;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads vectors and compares results with what they expect. */
final class Nodes {
    private static final HexFormat HEX = HexFormat.of();

    private Nodes() {}

    static int[] ints(JsonNode array) {
        return array.valueStream().mapToInt(JsonNode::intValue).toArray();
    }

    static long[] longs(JsonNode array) {
        return array.valueStream().mapToLong(JsonNode::longValue).toArray();
    }

    static <T> List<T> list(JsonNode array, Function<JsonNode, T> element) {
        return array.valueStream().map(element).toList();
    }

    static int integer(JsonNode inputs, String key, int absent) {
        return present(inputs, key) ? inputs.get(key).intValue() : absent;
    }

    static boolean flag(JsonNode inputs, String key) {
        return present(inputs, key) && inputs.get(key).booleanValue();
    }

    static boolean present(JsonNode inputs, String key) {
        return inputs.has(key) && !inputs.get(key).isNull();
    }

    /** A number or decimal string as the bits of an unsigned 64-bit value. */
    static long unsigned(JsonNode number) {
        BigInteger value = number.isString() ? new BigInteger(number.asString()) : number.bigIntegerValue();
        if (value.signum() < 0 || value.bitLength() > Long.SIZE) {
            throw new WeftException(ErrorCode.INVALID_ARGUMENT, value + " is no unsigned 64-bit value");
        }
        return value.longValue();
    }

    static byte[] bytes(JsonNode hex) {
        return HEX.parseHex(hex.asString());
    }

    static String hex(byte[] bytes) {
        return HEX.formatHex(bytes);
    }

    static List<String> hex(List<byte[]> frames) {
        return frames.stream().map(HEX::formatHex).toList();
    }

    /** The result as a tree, written and read once so that equal numbers are equal nodes. */
    static JsonNode tree(Object value) {
        JsonMapper mapper = JsonMapper.shared();
        return mapper.readTree(mapper.writeValueAsString(value));
    }

    /** Whether the result says all that is expected; it may say more, but a list must be the same list. */
    static boolean matches(JsonNode expected, JsonNode actual) {
        if (expected.isObject()) {
            return actual.isObject()
                    && expected.propertyStream()
                            .allMatch(p -> actual.has(p.getKey()) && matches(p.getValue(), actual.get(p.getKey())));
        }
        if (expected.isArray()) {
            return actual.isArray()
                    && expected.size() == actual.size()
                    && IntStream.range(0, expected.size()).allMatch(i -> matches(expected.get(i), actual.get(i)));
        }
        return expected.equals(actual);
    }
}
