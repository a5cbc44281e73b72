package io.weft.engine.internal.control.socket;

import io.weft.api.ErrorCode;
import java.nio.ByteBuffer;
import java.util.Objects;

/** A well-formed handshake that ends without a session. Without a stack trace, as {@link ProtocolException}. */
final class HandshakeRefusal extends RuntimeException {
    private static final long serialVersionUID = 1L;
    /** On the wire only: the two sides dialled each other and the other connection lives. */
    static final int COLLISION = 0x1000;

    private final int wireCode;
    private final boolean told;

    private HandshakeRefusal(int wireCode, String text, boolean told) {
        super(text, null, false, false);
        this.wireCode = wireCode;
        this.told = told;
    }

    /** The peer is told why. */
    static HandshakeRefusal told(ErrorCode code, String text) {
        return new HandshakeRefusal(code.number(), text, true);
    }

    /** The peer has not proved anything yet and gets not one byte (rule SEC-3). */
    static HandshakeRefusal silent(ErrorCode code, String text) {
        return new HandshakeRefusal(code.number(), text, false);
    }

    static HandshakeRefusal collision() {
        return new HandshakeRefusal(COLLISION, "the connection dialled from here lives", true);
    }

    /** What the peer said. */
    static HandshakeRefusal read(WireIn in) {
        int code = in.u16("code");
        String text = in.text("text", FrameType.Limits.TEXT);
        in.end(FrameType.REFUSE);
        return new HandshakeRefusal(code, text, false);
    }

    boolean isCollision() {
        return wireCode == COLLISION;
    }

    boolean isTold() {
        return told;
    }

    ErrorCode code() {
        return ErrorCode.ofNumber(wireCode);
    }

    ByteBuffer frame() {
        return new WireOut()
                .u16(wireCode)
                .clipped(getMessage(), FrameType.Limits.TEXT)
                .frame(FrameType.REFUSE);
    }

    /** Never null: every constructor takes one. */
    @Override
    public String getMessage() {
        return Objects.requireNonNull(super.getMessage());
    }
}
