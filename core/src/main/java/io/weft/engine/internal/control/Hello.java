package io.weft.engine.internal.control;

import java.util.List;
import java.util.Optional;

/**
 * What an engine says of itself when a session begins.
 *
 * @param key wire key
 * @param incarnation 64 random bits, never 0
 * @param wireMajor peers of another major are refused (rule VER-1)
 * @param wireMinor the lower of both minors is spoken
 * @param backends open backends
 */
public record Hello(String key, long incarnation, int wireMajor, int wireMinor, List<BackendHello> backends) {
    /** Copies the list. */
    public Hello {
        backends = List.copyOf(backends);
    }

    /**
     * Finds a backend by name.
     *
     * @param name provider name
     * @return what the engine says of it, empty if it has none of that name
     */
    public Optional<BackendHello> backend(String name) {
        return backends.stream().filter(b -> b.name().equals(name)).findFirst();
    }
}
