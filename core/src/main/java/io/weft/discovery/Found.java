package io.weft.discovery;

import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A provider as far as {@link java.util.ServiceLoader} tells without running any of its code.
 *
 * @param className the provider's class
 * @param source the jar, directory or module it came from
 * @param type the class, null if it could not be loaded
 * @param construct makes the provider, null if it could not be loaded
 * @param failure why it could not be loaded, empty otherwise
 */
record Found<P>(
        String className,
        Source source,
        @Nullable Class<?> type,
        @Nullable Supplier<? extends P> construct,
        String failure) {
    static <P> Found<P> loaded(Class<?> type, String layer, Supplier<? extends P> construct) {
        return new Found<>(type.getName(), Source.of(type, layer), type, construct, "");
    }

    static <P> Found<P> failed(String className, Source source, String failure) {
        return new Found<>(className, source, null, null, failure);
    }

    boolean isGiven() {
        return source.isApplication();
    }

    P make() {
        return Objects.requireNonNull(construct, "construct").get();
    }

    @Nullable
    ClassLoader loader() {
        return type == null ? null : type.getClassLoader();
    }
}
