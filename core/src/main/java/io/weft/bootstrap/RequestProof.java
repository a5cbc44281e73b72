package io.weft.bootstrap;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * HMAC-SHA256 with the shared secret over a label and the parts of a request or an answer, each preceded by its length. The secret itself
 * never travels, so that a registry that is none learns nothing. Immutable; safe from any thread.
 */
final class RequestProof {
    static final String CHALLENGE = "Weft-Challenge";
    static final String PROOF = "Weft-Proof";
    private static final String ALGORITHM = "HmacSHA256";

    private final SecretKeySpec key;

    RequestProof(byte[] secret) {
        key = new SecretKeySpec(secret, ALGORITHM);
    }

    String of(String label, String... parts) {
        return HexFormat.of().formatHex(raw(label, parts));
    }

    byte[] raw(String label, String... parts) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            part(mac, label);
            Arrays.stream(parts).forEach(p -> part(mac, p));
            return mac.doFinal();
        } catch (GeneralSecurityException missing) {
            throw new IllegalStateException("this JDK lacks " + ALGORITHM + ", which every JDK must have", missing);
        }
    }

    /** In constant time. */
    static boolean same(String a, String b) {
        return MessageDigest.isEqual(a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8));
    }

    private static void part(Mac mac, String part) {
        byte[] bytes = part.getBytes(StandardCharsets.ISO_8859_1);
        mac.update(ByteBuffer.allocate(4).putInt(0, bytes.length));
        mac.update(bytes);
    }
}
