package io.weft.engine.internal.control.socket;

/** Texts of peers on their way into logs and messages. */
final class Texts {
    private Texts() {}

    /** Without line ends and other control characters, with which a peer could forge log lines. */
    static String printable(String text) {
        return text.chars().noneMatch(Character::isISOControl) ? text : text.replaceAll("\\p{Cntrl}", "?");
    }
}
