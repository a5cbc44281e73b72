package io.weft.engine.internal.control.socket;

import io.weft.engine.internal.control.InboundEnd;
import io.weft.engine.internal.control.socket.FrameType.Limits;
import java.nio.ByteBuffer;

/** What travels on an established session. {@link #decode} is pure and takes any bytes. */
sealed interface SessionFrame {
    /** A frame that is answered by {@link Result} or {@link Failure} with the same id. */
    sealed interface Request extends SessionFrame {
        /** Strictly increasing in a session and direction. */
        long id();

        /** How long the asker waits from now. */
        long budgetNanos();
    }

    record Heartbeat() implements SessionFrame {}

    record FetchKey(long id, long budgetNanos, String backend, int regionId) implements Request {}

    record Revoke(long id, long budgetNanos, int regionId) implements Request {}

    record Fence(long id, long budgetNanos, String backend) implements Request {}

    record Call(long id, long budgetNanos, String backend, byte[] request) implements Request {}

    record Result(long id, byte[] value) implements SessionFrame {}

    record Failure(long id, int code, String text) implements SessionFrame {}

    record End(InboundEnd end) implements SessionFrame {}

    record Message(String backend, byte[] message) implements SessionFrame {}

    record Bye(String text) implements SessionFrame {}

    /** Writes the frame. */
    default ByteBuffer encode() {
        return switch (this) {
            case Heartbeat h -> new WireOut().frame(FrameType.HEARTBEAT);
            case FetchKey k ->
                request(k)
                        .text("backend", k.backend, Limits.NAME)
                        .i32(k.regionId)
                        .frame(FrameType.FETCH_KEY);
            case Revoke r -> request(r).i32(r.regionId).frame(FrameType.REVOKE);
            case Fence f -> request(f).text("backend", f.backend, Limits.NAME).frame(FrameType.FENCE);
            case Call c ->
                request(c)
                        .text("backend", c.backend, Limits.NAME)
                        .bytes("request", c.request, Limits.MESSAGE)
                        .frame(FrameType.CALL);
            case Result r ->
                new WireOut().i64(r.id).bytes("answer", r.value, Limits.MESSAGE).frame(FrameType.RESULT);
            case Failure f ->
                new WireOut().i64(f.id).u16(f.code).clipped(f.text, Limits.TEXT).frame(FrameType.ERROR);
            case End e -> encodeEnd(e.end);
            case Message m ->
                new WireOut()
                        .text("backend", m.backend, Limits.NAME)
                        .bytes("message", m.message, Limits.MESSAGE)
                        .frame(FrameType.MESSAGE);
            case Bye b -> new WireOut().clipped(b.text, Limits.TEXT).frame(FrameType.BYE);
        };
    }

    /**
     * Reads a frame.
     *
     * @throws ProtocolException if it is malformed, or belongs to the handshake
     */
    static SessionFrame decode(FrameType type, WireIn in) {
        SessionFrame frame = switch (type) {
            case HEARTBEAT -> new Heartbeat();
            case FETCH_KEY -> new FetchKey(id(in), budget(in), backend(in), in.i32("region"));
            case REVOKE -> new Revoke(id(in), budget(in), in.i32("region"));
            case FENCE -> new Fence(id(in), budget(in), backend(in));
            case CALL -> new Call(id(in), budget(in), backend(in), in.bytes("request", Limits.MESSAGE));
            case RESULT -> new Result(id(in), in.bytes("result", Limits.MESSAGE));
            case ERROR -> new Failure(id(in), in.u16("code"), in.text("text", Limits.TEXT));
            case END -> new End(decodeEnd(in));
            case MESSAGE -> new Message(backend(in), in.bytes("message", Limits.MESSAGE));
            case BYE -> new Bye(in.text("text", Limits.TEXT));
            case OPEN, CHALLENGE, HELLO, REFUSE -> throw new ProtocolException(type + " frame out of place");
        };
        in.end(type);
        return frame;
    }

    private static ByteBuffer encodeEnd(InboundEnd end) {
        byte[] notification = end.notification();
        WireOut out = new WireOut().i64(end.transferId()).u16(end.code()).clipped(end.text(), Limits.TEXT);
        return (notification == null ? out.u8(0) : out.u8(1).bytes("notification", notification, Limits.NOTIFICATION))
                .frame(FrameType.END);
    }

    private static InboundEnd decodeEnd(WireIn in) {
        long transferId = in.i64("transfer id");
        int code = in.u16("code");
        String text = in.text("text", Limits.TEXT);
        return switch (in.u8("notification mark")) {
            case 0 -> new InboundEnd(transferId, code, text, null);
            case 1 -> new InboundEnd(transferId, code, text, in.bytes("notification", Limits.NOTIFICATION));
            default -> throw new ProtocolException("notification mark is neither 0 nor 1");
        };
    }

    private static WireOut request(Request r) {
        return new WireOut().i64(r.id()).i64(r.budgetNanos());
    }

    private static long id(WireIn in) {
        return in.i64("id");
    }

    private static long budget(WireIn in) {
        long nanos = in.i64("budget");
        if (nanos < 0) {
            throw new ProtocolException("budget is negative");
        }
        return nanos;
    }

    private static String backend(WireIn in) {
        return in.text("backend", Limits.NAME);
    }
}
