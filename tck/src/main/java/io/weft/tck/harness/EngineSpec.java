package io.weft.tck.harness;

import java.io.Serializable;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What engine to open, in a form that can be sent to another process.
 *
 * @param name the engine's name
 * @param options whole keys and values, beside those of the run
 * @param checked whether the backend's promises to core are checked too; costs an allocation per operation
 */
public record EngineSpec(String name, LinkedHashMap<String, String> options, boolean checked) implements Serializable {
    /**
     * An engine without options.
     *
     * @param name its name
     * @return the spec
     */
    public static EngineSpec named(String name) {
        return new EngineSpec(name, new LinkedHashMap<>(), true);
    }

    /**
     * Sets an option.
     *
     * @param key a whole key
     * @param value its value
     * @return a copy
     */
    public EngineSpec with(String key, String value) {
        LinkedHashMap<String, String> more = new LinkedHashMap<>(options);
        more.put(key, value);
        return new EngineSpec(name, more, checked);
    }

    /**
     * Sets options.
     *
     * @param values whole keys and values
     * @return a copy
     */
    public EngineSpec with(Map<String, String> values) {
        LinkedHashMap<String, String> more = new LinkedHashMap<>(options);
        more.putAll(values);
        return new EngineSpec(name, more, checked);
    }

    /**
     * Leaves the backend unwrapped, for rules about allocation and leaks.
     *
     * @return a copy
     */
    public EngineSpec unchecked() {
        return new EngineSpec(name, options, false);
    }
}
