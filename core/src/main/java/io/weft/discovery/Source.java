package io.weft.discovery;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.FileSystemNotFoundException;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.Objects;

/**
 * Where a provider came from.
 *
 * <p>Immutable; safe from any thread.
 *
 * @param location the jar or directory, or what is known when there is none
 * @param layer {@code class path}, {@code module NAME}, {@code plugin NAME} or {@code application}
 */
public record Source(String location, String layer) {
    /** The layer of providers that the program constructed itself. */
    static final String APPLICATION = "application";

    /** The source of what is not there. */
    static final Source NOWHERE = new Source("-", "not found");

    /** Checks for null. */
    public Source {
        Objects.requireNonNull(location, "location");
        Objects.requireNonNull(layer, "layer");
    }

    /** Whether the program constructed the provider itself. */
    boolean isApplication() {
        return layer.equals(APPLICATION);
    }

    /** The source of a class; an empty layer stands for the path it is on. */
    static Source of(Class<?> type, String layer) {
        String path = type.getModule().isNamed() ? "module " + type.getModule().getName() : "class path";
        CodeSource code = type.getProtectionDomain().getCodeSource();
        String location = code == null || code.getLocation() == null ? type.getName() : location(code.getLocation());
        return new Source(location, layer.isEmpty() ? path : layer);
    }

    /** A path for people instead of a URL. */
    static String location(URL url) {
        String text = url.toString();
        if (text.startsWith("jar:") && text.contains("!/")) {
            text = text.substring("jar:".length(), text.indexOf("!/"));
        }
        try {
            return Path.of(new URI(text)).toString();
        } catch (URISyntaxException | IllegalArgumentException | FileSystemNotFoundException e) {
            return text; // an address that is no file, such as http: or jrt:, is as good as it gets
        }
    }

    @Override
    public String toString() {
        return location + " (" + layer + ")";
    }
}
