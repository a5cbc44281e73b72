package io.weft.api;

import java.util.Objects;

/**
 * A kind of memory, by a string id that vendors may add to ({@code host}, {@code cuda}, {@code hip}, ...).
 *
 * <p>Immutable; safe from any thread.
 *
 * @param id lower-case letters, digits and {@code -}, starting with a letter, at most 32 characters; stable for ever
 *     since it goes into configuration, metrics and receipts
 * @since 0.1
 */
public record MemoryKind(String id) {
    /** Ordinary memory of the process, addressable by the CPU. */
    public static final MemoryKind HOST = new MemoryKind("host");
    /** NVIDIA device memory. */
    public static final MemoryKind CUDA = new MemoryKind("cuda");
    /** AMD device memory. */
    public static final MemoryKind HIP = new MemoryKind("hip");

    /**
     * Checks the syntax.
     *
     * @throws IllegalArgumentException if the id has another form
     */
    public MemoryKind {
        Objects.requireNonNull(id, "id");
        if (!isId(id)) {
            throw new IllegalArgumentException("memory kind '" + id
                    + "' must be a lower-case letter followed by at most 31 lower-case letters, digits or '-'");
        }
    }

    /**
     * Whether a text has the form of an id.
     *
     * @param text any text
     * @return true if a kind can be made of it
     */
    public static boolean isId(String text) {
        return text.matches("[a-z][a-z0-9-]{0,31}");
    }

    /**
     * Whether the CPU may load and store there.
     *
     * @return true for {@link #HOST} only (rule DEV-4)
     */
    public boolean isHost() {
        return id.equals("host");
    }

    @Override
    public String toString() {
        return id;
    }
}
