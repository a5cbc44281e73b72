package io.weft.ops;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * What a caller of the operations endpoint shows: a token that is derived from {@code weft.secret}, so that one secret guards
 * everything and is itself neither sent nor written into a scraper's configuration. It only lets its holder look.
 *
 * <p>HMAC-SHA256 of the secret over a fixed label, in hex. Stateless; safe from any thread.
 *
 * @since 0.1
 */
public final class OpsToken {
    private static final String ALGORITHM = "HmacSHA256";
    private static final String LABEL = "weft operations endpoint, 1";
    private static final String BEARER = "Bearer ";
    private static final String BASIC = "Basic ";

    private OpsToken() {}

    /**
     * Derives the token.
     *
     * @param secret not empty
     * @return 64 hex digits
     */
    public static String of(String secret) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), ALGORITHM));
            return HexFormat.of().formatHex(mac.doFinal(LABEL.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException missing) {
            throw new IllegalStateException("this JDK lacks " + ALGORITHM + ", which every JDK must have", missing);
        }
    }

    /** Whether an Authorization header has the token, as a bearer's or as the password of any user (for browsers). */
    static boolean isIn(String authorization, String token) {
        String shown = "";
        if (authorization.startsWith(BEARER)) {
            shown = authorization.substring(BEARER.length()).strip();
        } else if (authorization.startsWith(BASIC)) {
            shown = password(authorization.substring(BASIC.length()).strip());
        }
        return MessageDigest.isEqual(shown.getBytes(StandardCharsets.UTF_8), token.getBytes(StandardCharsets.UTF_8));
    }

    private static String password(String encoded) {
        try {
            String pair = new String(Base64.getDecoder().decode(encoded), StandardCharsets.UTF_8);
            return pair.substring(pair.indexOf(':') + 1);
        } catch (IllegalArgumentException malformed) {
            return "";
        }
    }
}
