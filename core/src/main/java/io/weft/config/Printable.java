package io.weft.config;

import java.util.Objects;

/** Foreign texts as they may be shown in one line: what cannot be seen is escaped, what is endless is cut. */
public final class Printable {
    private static final int LONGEST = 200;

    private Printable() {}

    /**
     * Escapes control characters, characters that change the direction of writing, and halves of surrogate pairs.
     *
     * @param text any text
     * @return the same for plain texts, else with escapes such as {@code \}{@code u202e}
     */
    public static String escaped(String text) {
        Objects.requireNonNull(text, "text");
        if (text.codePoints().noneMatch(Printable::isHidden)) {
            return text;
        }
        StringBuilder shown = new StringBuilder();
        text.codePoints().forEach(c -> {
            if (isHidden(c)) {
                shown.append(String.format("\\u%04x", c));
            } else {
                shown.appendCodePoint(c);
            }
        });
        return shown.toString();
    }

    /**
     * The same, and no longer than a line of an error may be.
     *
     * @param text any text
     * @return its beginning and how long it is, if it is long
     */
    public static String shortened(String text) {
        if (text.length() <= LONGEST) {
            return escaped(text);
        }
        int end = Character.isHighSurrogate(text.charAt(LONGEST - 1)) ? LONGEST - 1 : LONGEST;
        return escaped(text.substring(0, end)) + "... (" + text.length() + " characters)";
    }

    static boolean isHidden(int codePoint) {
        return switch (Character.getType(codePoint)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> true;
            default -> false;
        };
    }
}
