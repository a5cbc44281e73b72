package io.weft.api;

import java.util.Objects;

/**
 * Where a piece of memory is: its kind and the device it belongs to, written {@code host} or {@code cuda:0}.
 *
 * <p>Immutable; safe from any thread.
 *
 * @param kind the memory kind
 * @param device the device index of that kind, {@code -1} for host memory
 * @since 0.1
 */
public record MemoryLocation(MemoryKind kind, int device) {
    /** Host memory. */
    public static final MemoryLocation HOST = new MemoryLocation(MemoryKind.HOST, -1);

    /**
     * Checks that host memory has no device and other memory has one.
     *
     * @throws IllegalArgumentException if it is the other way round
     */
    public MemoryLocation {
        Objects.requireNonNull(kind, "kind");
        if (kind.isHost() ? device != -1 : device < 0) {
            throw new IllegalArgumentException("memory kind " + kind + " with device index " + device
                    + ": host memory has index -1, device memory 0 or more");
        }
    }

    /**
     * Reads {@code host} or {@code KIND:INDEX}; a kind alone means device 0.
     *
     * @param text the text
     * @return the location
     * @throws IllegalArgumentException if the text has another form
     */
    public static MemoryLocation parse(String text) {
        int colon = text.indexOf(':');
        MemoryKind kind = new MemoryKind(colon < 0 ? text : text.substring(0, colon));
        if (colon < 0) {
            return new MemoryLocation(kind, kind.isHost() ? -1 : 0);
        }
        try {
            return new MemoryLocation(kind, Integer.parseInt(text.substring(colon + 1)));
        } catch (NumberFormatException notANumber) {
            throw new IllegalArgumentException(
                    "memory location '" + text + "': the part after ':' must be a device index, as in cuda:0",
                    notANumber);
        }
    }

    @Override
    public String toString() {
        return kind.isHost() ? kind.id() : kind.id() + ":" + device;
    }
}
