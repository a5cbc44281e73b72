package io.weft.bootstrap;

import io.weft.spi.EngineClock;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Nonces that a client proves its request with. Giving one out costs no memory, since it carries its time and this process's own
 * proof; a used one is kept until it is too old to be used again. Safe from any thread.
 */
final class Challenges {
    private static final long LIFETIME = TimeUnit.SECONDS.toNanos(30);
    private static final int MAX_USED = 100_000;

    private final SecureRandom random = new SecureRandom();
    private final RequestProof own;
    private final EngineClock clock;
    /** Value: when it was used; oldest first. */
    private final Map<String, Long> used = new LinkedHashMap<>();

    Challenges(EngineClock clock) {
        this.clock = clock;
        byte[] key = new byte[32];
        random.nextBytes(key);
        own = new RequestProof(key);
    }

    String issue() {
        byte[] nonce = new byte[16];
        random.nextBytes(nonce);
        String text = HexFormat.of().formatHex(nonce) + "-" + HexFormat.of().toHexDigits(clock.nanos());
        return text + "-" + own.of("challenge", text);
    }

    /** Whether it came from here, is young, and was not used yet; it is used then. */
    synchronized boolean use(String challenge) {
        int proofAt = challenge.lastIndexOf('-');
        int timeAt = challenge.indexOf('-') + 1;
        if (proofAt <= timeAt
                || !RequestProof.same(
                        challenge.substring(proofAt + 1), own.of("challenge", challenge.substring(0, proofAt)))) {
            return false;
        }
        long now = clock.nanos();
        long issued = HexFormat.fromHexDigitsToLong(challenge.substring(timeAt, proofAt));
        used.values().removeIf(when -> now - when > LIFETIME);
        return now - issued <= LIFETIME && used.size() < MAX_USED && used.putIfAbsent(challenge, now) == null;
    }
}
