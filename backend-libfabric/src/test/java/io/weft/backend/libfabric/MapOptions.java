package io.weft.backend.libfabric;

import io.weft.spi.OptionValues;
import java.util.List;
import java.util.Map;

/** Option values of a test; what is not given is the declared default. */
record MapOptions(Map<String, String> values) implements OptionValues {
    @Override
    public String string(String key) {
        return LibfabricOptions.ALL.stream()
                .filter(spec -> spec.key().equals(key))
                .map(spec -> values.getOrDefault(key, spec.defaultValue()))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("option " + key + " is not declared"));
    }

    @Override
    public long integer(String key) {
        return Long.parseLong(string(key));
    }

    @Override
    public boolean bool(String key) {
        return Boolean.parseBoolean(string(key));
    }

    @Override
    public long nanos(String key) {
        throw new UnsupportedOperationException("no duration is used in these tests: " + key);
    }

    @Override
    public long bytes(String key) {
        throw new UnsupportedOperationException("no size is used in these tests: " + key);
    }

    @Override
    public List<String> list(String key) {
        return string(key).isEmpty() ? List.of() : List.of(string(key).split(","));
    }

    @Override
    public String origin(String key) {
        return values.containsKey(key) ? "test" : "default";
    }
}
