package io.weft.bootstrap;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/** Texts in headers, which hold visible ASCII only. */
final class HeaderText {
    private HeaderText() {}

    static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    /** Empty if it was not encoded so. */
    static String decode(String header) {
        try {
            return URLDecoder.decode(header, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException malformed) {
            return "";
        }
    }
}
