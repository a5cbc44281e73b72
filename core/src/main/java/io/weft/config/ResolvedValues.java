package io.weft.config;

import io.weft.spi.OptionSpec.Type;
import io.weft.spi.OptionValues;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;

/** The part of a configuration that one component may see. */
record ResolvedValues(String prefix, Map<String, Setting> settings) implements OptionValues {
    @Override
    public String string(String key) {
        return (String) value(key, EnumSet.of(Type.STRING, Type.CHOICE));
    }

    @Override
    public long integer(String key) {
        return (Long) value(key, EnumSet.of(Type.INTEGER));
    }

    @Override
    public boolean bool(String key) {
        return (Boolean) value(key, EnumSet.of(Type.BOOLEAN));
    }

    @Override
    public long nanos(String key) {
        return (Long) value(key, EnumSet.of(Type.DURATION));
    }

    @Override
    public long bytes(String key) {
        return (Long) value(key, EnumSet.of(Type.BYTES));
    }

    @Override
    public List<String> list(String key) {
        return OptionText.strings(value(key, EnumSet.of(Type.LIST)));
    }

    @Override
    public String origin(String key) {
        return setting(key).origin().text();
    }

    @Override
    public String toString() {
        return "options of " + prefix;
    }

    private Object value(String key, EnumSet<Type> wanted) {
        Setting setting = setting(key);
        Type type = setting.option().spec().type();
        if (!wanted.contains(type)) {
            throw new IllegalArgumentException(
                    "option " + prefix + key + " is declared as " + type + " and was asked for as " + wanted);
        }
        return setting.value();
    }

    private Setting setting(String key) {
        Setting setting = settings.get(prefix + key);
        if (setting == null) {
            throw new IllegalArgumentException("option " + prefix + key + " was asked for but not declared");
        }
        return setting;
    }
}
