package io.weft.ffi;

import java.util.Objects;

/**
 * A library was found and lacks a function: it is too old, or another library of the same name.
 *
 * @since 0.1
 */
public final class MissingSymbolException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * Names both.
     *
     * @param library where it was looked for
     * @param symbol what is missing
     */
    public MissingSymbolException(NativeLibrary library, String symbol) {
        super(library.name() + " at " + library.path() + " has no function " + symbol
                + ": it is too old or not the library of that name");
    }

    /**
     * What was tried, on what, what was found.
     *
     * @return the text, never null: every constructor takes one
     */
    @Override
    public String getMessage() {
        return Objects.requireNonNull(super.getMessage());
    }
}
