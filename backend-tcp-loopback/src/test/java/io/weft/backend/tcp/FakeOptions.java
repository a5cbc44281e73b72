package io.weft.backend.tcp;

import io.weft.spi.OptionSpec;
import io.weft.spi.OptionValues;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The defaults of the specs, with some values replaced. */
final class FakeOptions implements OptionValues {
    private final Map<String, String> values = new HashMap<>();

    FakeOptions(String... keysAndValues) {
        for (OptionSpec spec : TcpSettings.SPECS) {
            values.put(spec.key(), spec.defaultValue());
        }
        for (int i = 0; i < keysAndValues.length; i += 2) {
            if (values.put(keysAndValues[i], keysAndValues[i + 1]) == null) {
                throw new IllegalArgumentException("no option " + keysAndValues[i]);
            }
        }
    }

    @Override
    public String string(String key) {
        String value = values.get(key);
        if (value == null) {
            throw new IllegalArgumentException("undeclared option " + key);
        }
        return value;
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
        return scaled(key, Map.of("us", 1_000L, "ms", 1_000_000L, "s", 1_000_000_000L));
    }

    @Override
    public long bytes(String key) {
        return scaled(key, Map.of("B", 1L, "KiB", 1L << 10, "MiB", 1L << 20, "GiB", 1L << 30));
    }

    private long scaled(String key, Map<String, Long> units) {
        String text = string(key);
        int digits = 0;
        while (digits < text.length() && Character.isDigit(text.charAt(digits))) {
            digits++;
        }
        return Long.parseLong(text.substring(0, digits)) * units.get(text.substring(digits));
    }

    @Override
    public List<String> list(String key) {
        return List.of(string(key).split(","));
    }

    @Override
    public String origin(String key) {
        return "test";
    }
}
