package io.weft.engine.internal.control.socket;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * A shared secret, or none. Proofs are HMAC-SHA256 over a label, which keeps directions and purposes apart, and parts that are
 * each preceded by their length. Never printed (rule SEC-4). Immutable; safe from any thread.
 */
final class Secret {
    static final int PROOF_BYTES = 32;
    static final Secret NONE = new Secret(null);
    private static final String ALGORITHM = "HmacSHA256";

    private final @Nullable SecretKeySpec key;

    private Secret(@Nullable SecretKeySpec key) {
        this.key = key;
    }

    static Secret of(byte @Nullable [] secret) {
        return secret == null || secret.length == 0 ? NONE : new Secret(new SecretKeySpec(secret, ALGORITHM));
    }

    boolean present() {
        return key != null;
    }

    /** Empty without a secret. */
    byte[] prove(String label, byte[]... parts) {
        if (key == null) {
            return new byte[0];
        }
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            part(mac, label.getBytes(StandardCharsets.US_ASCII));
            for (byte[] part : parts) {
                part(mac, part);
            }
            return mac.doFinal();
        } catch (GeneralSecurityException missing) {
            throw new IllegalStateException("this JDK lacks " + ALGORITHM + ", which every JDK must have", missing);
        }
    }

    /** In constant time; true without a secret. */
    boolean verify(byte[] proof, String label, byte[]... parts) {
        return key == null || MessageDigest.isEqual(proof, prove(label, parts));
    }

    /** A secret of one session, which nobody can compute without this one. */
    Secret derive(String label, byte[]... parts) {
        return key == null ? NONE : of(prove(label, parts));
    }

    @Override
    public String toString() {
        return present() ? "Secret[present]" : "Secret[none]";
    }

    private static void part(Mac mac, byte[] part) {
        mac.update(ByteBuffer.allocate(4).putInt(0, part.length));
        mac.update(part);
    }
}
