package io.weft.engine.internal.control.socket;

import io.weft.api.ErrorCode;
import io.weft.engine.internal.control.Hello;
import io.weft.engine.internal.control.socket.HelloCodec.Content;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * The handshake of one connection, as bytes in and bytes out:
 *
 * <pre>
 * dialler                                acceptor
 * OPEN      version, nonce, proof   -&gt;
 *                                   &lt;-   CHALLENGE  version, nonce, proof over OPEN
 * HELLO     proof, hello            -&gt;
 *                                   &lt;-   HELLO      proof, hello    (or REFUSE)
 * </pre>
 *
 * <p>With a secret the acceptor sends nothing to whom cannot prove OPEN, and either side sends its hello only to a peer that has
 * proved itself with this connection's nonces; a replayed OPEN earns one random nonce. Confined to one thread.
 */
abstract class Handshake {
    final Secret secret;
    final Hello mine;
    private byte[] transcript = {};

    Handshake(Secret secret, Hello mine) {
        this.secret = secret;
        this.mine = mine;
    }

    /**
     * What a handshake yields.
     *
     * @param content what the peer said
     * @param sessionId the same on both sides, different for each session
     * @param lanes proves other connections of the pair
     */
    record Established(Content content, long sessionId, Secret lanes) {}

    /** The dialling side. */
    static final class Dialler extends Handshake {
        private final Opening open;
        private byte[] hello = {};

        Dialler(Secret secret, Hello mine, byte[] nonce) {
            super(secret, mine);
            Opening bare = Opening.unproved(mine.wireMajor(), mine.wireMinor(), secret, nonce);
            open = bare.proved(secret.prove("weft open", bare.unproved()));
        }

        ByteBuffer open() {
            return new WireOut().raw(open.body()).frame(FrameType.OPEN);
        }

        /**
         * Answers CHALLENGE with HELLO.
         *
         * @throws HandshakeRefusal if the peer does not prove itself or is of another major
         */
        ByteBuffer hello(WireIn in, long wanted, long lastSession, long heartbeatNanos) {
            Opening challenge = Opening.read(in);
            in.end(FrameType.CHALLENGE);
            if (secret.present() && challenge.proof().length == 0) {
                throw HandshakeRefusal.silent(
                        ErrorCode.AUTHENTICATION,
                        "the peer has no shared secret and this engine has one; give both the same or neither any");
            }
            if (!secret.verify(challenge.proof(), "weft challenge", open.body(), challenge.unproved())) {
                throw HandshakeRefusal.silent(
                        ErrorCode.AUTHENTICATION,
                        "the peer did not prove that it knows this engine's shared secret; give both the same");
            }
            requireSameMajor(challenge);
            transcript(open, challenge);
            hello = content(new Content(mine, wanted, lastSession, heartbeatNanos));
            return helloFrame(proof("weft dialler hello", hello), hello);
        }

        /**
         * Reads the peer's HELLO.
         *
         * @throws HandshakeRefusal if the peer does not prove itself
         */
        Established established(WireIn in) {
            byte[] proof = in.bytes("proof", Secret.PROOF_BYTES);
            byte[] theirs = in.rest();
            if (!verify(proof, "weft acceptor hello", hello, theirs)) {
                throw HandshakeRefusal.silent(ErrorCode.AUTHENTICATION, "the peer's hello is not proved");
            }
            return established(theirs);
        }
    }

    /** The accepting side. */
    static final class Acceptor extends Handshake {
        private final byte[] nonce;
        private byte[] hello = {};

        Acceptor(Secret secret, Hello mine, byte[] nonce) {
            super(secret, mine);
            this.nonce = nonce;
        }

        /**
         * Answers OPEN with CHALLENGE.
         *
         * @throws HandshakeRefusal if the peer does not prove itself or is of another major
         */
        ByteBuffer challenge(WireIn in) {
            Opening open = Opening.read(in);
            in.end(FrameType.OPEN);
            if (!secret.verify(open.proof(), "weft open", open.unproved())) {
                throw HandshakeRefusal.silent(
                        ErrorCode.AUTHENTICATION,
                        open.proof().length == 0 ? "it has no shared secret" : "it has another shared secret");
            }
            requireSameMajor(open);
            Opening bare = Opening.unproved(mine.wireMajor(), mine.wireMinor(), secret, nonce);
            Opening challenge = bare.proved(secret.prove("weft challenge", open.body(), bare.unproved()));
            transcript(open, challenge);
            return new WireOut().raw(challenge.body()).frame(FrameType.CHALLENGE);
        }

        /**
         * Reads the peer's HELLO.
         *
         * @throws HandshakeRefusal if the peer does not prove itself
         */
        Established established(WireIn in) {
            byte[] proof = in.bytes("proof", Secret.PROOF_BYTES);
            hello = in.rest();
            if (!verify(proof, "weft dialler hello", hello)) {
                throw HandshakeRefusal.silent(ErrorCode.AUTHENTICATION, "its hello is not proved");
            }
            return established(hello);
        }

        ByteBuffer answer(long heartbeatNanos) {
            byte[] content = content(new Content(mine, 0, 0, heartbeatNanos));
            return helloFrame(proof("weft acceptor hello", hello, content), content);
        }
    }

    private int peerMajor;
    private int peerMinor;

    final void requireSameMajor(Opening theirs) {
        peerMajor = theirs.major();
        peerMinor = theirs.minor();
        if (theirs.major() != mine.wireMajor()) {
            throw HandshakeRefusal.told(ErrorCode.INCOMPATIBLE, incompatible(mine, theirs.version()));
        }
    }

    static String incompatible(Hello mine, String theirs) {
        return "engine " + mine.key() + " speaks wire version " + mine.wireMajor() + "." + mine.wireMinor()
                + " and the peer " + theirs + "; only the same major works together, upgrade the older one";
    }

    final void transcript(Opening open, Opening challenge) {
        try {
            MessageDigest sha = MessageDigest.getInstance("SHA-256");
            sha.update(open.body());
            sha.update(challenge.body());
            transcript = sha.digest();
        } catch (NoSuchAlgorithmException missing) {
            throw new IllegalStateException("this JDK lacks SHA-256, which every JDK must have", missing);
        }
    }

    final byte[] proof(String label, byte[]... parts) {
        return bound().prove(label, parts);
    }

    final boolean verify(byte[] proof, String label, byte[]... parts) {
        return bound().verify(proof, label, parts);
    }

    final Established established(byte[] content) {
        Content theirs = HelloCodec.read(new WireIn(content, content.length), peerMajor, peerMinor);
        return new Established(theirs, ByteBuffer.wrap(transcript).getLong(), secret.derive("weft lanes", transcript));
    }

    static byte[] content(Content c) {
        return HelloCodec.write(new WireOut(), c).body();
    }

    static ByteBuffer helloFrame(byte[] proof, byte[] content) {
        return new WireOut()
                .bytes("proof", proof, Secret.PROOF_BYTES)
                .raw(content)
                .frame(FrameType.HELLO);
    }

    /** Proofs of the hellos count only with both nonces of this connection. */
    private Secret bound() {
        return secret.derive("weft hello", transcript);
    }
}
