package io.weft.config;

import io.weft.spi.OptionSpec;
import java.util.Locale;
import java.util.Objects;

/**
 * An option in the catalogue.
 *
 * <p>Immutable; safe from any thread.
 *
 * @param group the component it belongs to
 * @param spec what it is
 */
public record KnownOption(OptionGroup group, OptionSpec spec) {
    /** Checks for null. */
    public KnownOption {
        Objects.requireNonNull(group, "group");
        Objects.requireNonNull(spec, "spec");
    }

    /**
     * The whole key, which is also the name of its system property.
     *
     * @return such as {@code weft.backend.tcp.lanes}
     */
    public String key() {
        return group.prefix() + spec.key();
    }

    /**
     * The environment variable that sets it.
     *
     * @return such as {@code WEFT_BACKEND_TCP_LANES}
     */
    public String environmentName() {
        return environmentName(key());
    }

    /**
     * What may be written.
     *
     * @return such as {@code a whole number from 1 to 64}
     */
    public String allowed() {
        return OptionText.allowed(spec);
    }

    static String environmentName(String key) {
        return key.replace('.', '_').replace('-', '_').toUpperCase(Locale.ROOT);
    }
}
