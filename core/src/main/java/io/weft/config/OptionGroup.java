package io.weft.config;

import io.weft.spi.OptionSpec;
import io.weft.spi.OptionSpec.Type;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The options of one component: the engine, a backend, the KV layer, the tool.
 *
 * <p>Immutable; safe from any thread.
 *
 * @param name what the deployer calls the component, such as {@code engine} or {@code tcp}
 * @param prefix what its keys start with, such as {@code weft.} or {@code weft.backend.tcp.}
 * @param title one line for the reference
 * @param options its options, keys relative to the prefix
 * @param check looks at their values together
 */
public record OptionGroup(String name, String prefix, String title, List<OptionSpec> options, OptionCheck check) {
    private static final Pattern KEY = Pattern.compile("[a-z][a-z0-9]*([-.][a-z0-9]+)*");
    private static final Set<Type> CAN_BE_UNSET = Set.of(Type.STRING, Type.LIST);

    /**
     * Copies the list and checks each option, because a component may come from anywhere.
     *
     * @throws IllegalArgumentException for a malformed key, the same key twice or a default that the option itself refuses
     */
    public OptionGroup {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(title, "title");
        Objects.requireNonNull(check, "check");
        if (!prefix.startsWith("weft.") || !prefix.endsWith(".")) {
            throw new IllegalArgumentException("prefix of option group " + name + " is '" + prefix
                    + "', it has to start with 'weft.' and end with '.'");
        }
        options = List.copyOf(options);
        Set<String> keys = new HashSet<>();
        for (OptionSpec spec : options) {
            check(prefix + spec.key(), spec);
            if (!keys.add(spec.key())) {
                throw new IllegalArgumentException("option " + prefix + spec.key() + " is declared twice");
            }
        }
    }

    /**
     * A group whose values do not depend on each other.
     *
     * @param name what the deployer calls the component
     * @param prefix what its keys start with
     * @param title one line for the reference
     * @param options its options, keys relative to the prefix
     */
    public OptionGroup(String name, String prefix, String title, List<OptionSpec> options) {
        this(name, prefix, title, options, OptionCheck.NONE);
    }

    /**
     * The group of a backend.
     *
     * @param backend the backend's name
     * @param options its options
     * @return a group with the prefix {@code weft.backend.NAME.}
     */
    public static OptionGroup ofBackend(String backend, List<OptionSpec> options) {
        return new OptionGroup(backend, "weft.backend." + backend + ".", "backend " + backend, options);
    }

    private static void check(String key, OptionSpec spec) {
        if (!KEY.matcher(spec.key()).matches()) {
            throw new IllegalArgumentException(
                    "option key '" + key + "' is not made of lower-case words joined by '-' or '.'");
        }
        if (spec.defaultValue().isEmpty() && CAN_BE_UNSET.contains(spec.type())) {
            return;
        }
        try {
            OptionText.read(spec, spec.defaultValue());
        } catch (OptionText.Unreadable e) {
            throw new IllegalArgumentException(
                    "default '" + spec.defaultValue() + "' of option " + key + " is not " + OptionText.allowed(spec),
                    e);
        }
    }
}
