package io.weft.engine.internal.control.socket;

/**
 * What both sides say before they know each other, the body of OPEN and CHALLENGE: version, whether there is a secret, a nonce and
 * a proof. The layout is the same in every wire version, so that versions can be told apart.
 *
 * @param major wire major
 * @param minor wire minor
 * @param flags {@link #SECRET}; the rest is reserved and 0
 * @param nonce 32 random bytes
 * @param proof empty without a secret
 */
record Opening(int major, int minor, int flags, byte[] nonce, byte[] proof) {
    static final int NONCE_BYTES = 32;
    static final int SECRET = 1;

    static Opening unproved(int major, int minor, Secret secret, byte[] nonce) {
        return new Opening(major, minor, secret.present() ? SECRET : 0, nonce, new byte[0]);
    }

    static Opening read(WireIn in) {
        int major = in.u16("major");
        int minor = in.u16("minor");
        int flags = in.u8("flags");
        byte[] nonce = in.fixed("nonce", NONCE_BYTES);
        return new Opening(
                major, minor, flags, nonce, in.fixed("proof", (flags & SECRET) == 0 ? 0 : Secret.PROOF_BYTES));
    }

    Opening proved(byte[] by) {
        return new Opening(major, minor, flags, nonce, by);
    }

    /** What the proof covers. */
    byte[] unproved() {
        return new WireOut().u16(major).u16(minor).u8(flags).raw(nonce).body();
    }

    byte[] body() {
        return new WireOut().raw(unproved()).raw(proof).body();
    }

    String version() {
        return major + "." + minor;
    }
}
