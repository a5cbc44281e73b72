package io.weft.engine.internal.control.socket;

/**
 * What both sides say before they know each other, the body of OPEN and CHALLENGE: version, whether there is a secret, a nonce and
 * a proof. The layout is the same in every wire version, so that versions can be told apart.
 *
 * @param major wire major
 * @param minor wire minor
 * @param nonce 32 random bytes
 * @param proof empty without a secret
 */
record Opening(int major, int minor, byte[] nonce, byte[] proof) {
    static final int NONCE_BYTES = 32;

    /** What the proof covers. */
    static byte[] unproved(int major, int minor, byte[] nonce, boolean secret) {
        return new WireOut().u16(major).u16(minor).u8(secret ? 1 : 0).raw(nonce).body();
    }

    static Opening read(WireIn in) {
        int major = in.u16("major");
        int minor = in.u16("minor");
        int flags = in.u8("flags");
        byte[] nonce = in.fixed("nonce", NONCE_BYTES);
        return new Opening(major, minor, nonce, in.fixed("proof", (flags & 1) == 0 ? 0 : Secret.PROOF_BYTES));
    }

    byte[] body() {
        return new WireOut()
                .raw(unproved(major, minor, nonce, proof.length > 0))
                .raw(proof)
                .body();
    }

    byte[] unproved() {
        return unproved(major, minor, nonce, proof.length > 0);
    }

    String version() {
        return major + "." + minor;
    }
}
