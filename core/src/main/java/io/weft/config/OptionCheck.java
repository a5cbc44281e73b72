package io.weft.config;

import io.weft.spi.OptionValues;
import java.util.function.BiConsumer;

/** Checks values of one component against each other, once each of them is right by itself. Pure. */
@FunctionalInterface
public interface OptionCheck {
    /** Any combination will do. */
    OptionCheck NONE = (values, refuse) -> {};

    /**
     * Refuses combinations that make no sense.
     *
     * @param values the component's values
     * @param refuse takes the key to blame, relative to the component's prefix, and what is wrong and what to do
     */
    void check(OptionValues values, BiConsumer<String, String> refuse);
}
