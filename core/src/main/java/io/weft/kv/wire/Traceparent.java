package io.weft.kv.wire;

import java.util.regex.Pattern;

/**
 * The form of a W3C trace context's {@code traceparent}: version, trace id, id of the parent span and flags, as
 * {@code 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01}. Source: W3C Trace Context, section 3.2. Of later versions only what
 * version 00 has is taken. Stateless; safe from any thread.
 *
 * @since 0.1
 */
public final class Traceparent {
    private static final Pattern FORM =
            Pattern.compile("(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}");

    private Traceparent() {}

    /**
     * Checks the form.
     *
     * @param text any text
     * @return whether it is a traceparent
     */
    public static boolean isWellFormed(String text) {
        return FORM.matcher(text).matches();
    }
}
