package io.weft.kv.wire;

import io.weft.kv.layout.PeerLayout;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import org.msgpack.core.MessageBufferPacker;
import org.msgpack.core.MessagePack;
import org.msgpack.core.MessagePacker;

/** The trailing frame: {@code weft1} and a msgpack map with short keys. Absent parts have no key. */
final class ExtrasCodec {
    static final int MAX_BYTES = 1 << 18;

    private static final byte[] MAGIC = {'w', 'e', 'f', 't', '1'};

    private ExtrasCodec() {}

    static boolean isExtras(byte[] frame) {
        return frame.length >= MAGIC.length && Arrays.equals(frame, 0, MAGIC.length, MAGIC, 0, MAGIC.length);
    }

    static byte[] encode(Extras x) {
        try (MessageBufferPacker out = MessagePack.newDefaultBufferPacker()) {
            PeerLayout layout = x.layout();
            Boolean dummy = x.dummy();
            out.writePayload(MAGIC);
            out.packMapHeader(count(
                    x.epoch() != 0,
                    x.target() != 0,
                    x.generation() != 0,
                    dummy != null,
                    x.quiet() != Quiet.UNSAID,
                    x.errorCode() != 0,
                    !x.engineKey().isEmpty(),
                    layout != null,
                    !x.traceparent().isEmpty()));
            number(out, "ep", x.epoch());
            number(out, "to", x.target());
            number(out, "gen", x.generation());
            if (dummy != null) {
                out.packString("dummy").packBoolean(dummy);
            }
            number(out, "quiet", x.quiet().ordinal());
            number(out, "code", x.errorCode());
            if (!x.engineKey().isEmpty()) {
                out.packString("key").packString(x.engineKey());
            }
            if (layout != null) {
                out.packString("layout");
                LayoutCodec.encode(out, layout);
            }
            if (!x.traceparent().isEmpty()) {
                out.packString("tp").packString(x.traceparent());
            }
            return out.toByteArray();
        } catch (IOException inMemory) {
            throw new UncheckedIOException(inMemory);
        }
    }

    static Extras decode(String where, byte[] frame) throws FrameException {
        BoundedUnpacker in = new BoundedUnpacker(where, Arrays.copyOfRange(frame, MAGIC.length, frame.length));
        Extras x = Extras.NONE;
        for (int i = in.mapHeader(); i > 0; i--) {
            x = switch (in.text()) {
                case "ep" -> withEpoch(x, in.bits());
                case "to" -> x.withRoom(x.generation(), in.bits());
                case "gen" -> x.withRoom(in.bits(), x.target());
                case "dummy" -> x.withDummy(in.bool());
                case "quiet" -> x.withQuiet(Quiet.of(in.integer()), x.errorCode());
                case "code" -> x.withQuiet(x.quiet(), in.integer());
                case "key" -> withKey(x, in.text());
                case "layout" -> x.withLayout(LayoutCodec.decode(in));
                case "tp" -> withTraceparent(x, in.text());
                default -> {
                    in.skip();
                    yield x;
                }
            };
        }
        in.end();
        return x;
    }

    private static Extras withEpoch(Extras x, long epoch) {
        return new Extras(
                epoch,
                x.target(),
                x.generation(),
                x.dummy(),
                x.quiet(),
                x.errorCode(),
                x.engineKey(),
                x.layout(),
                x.traceparent());
    }

    /** A trace is no reason to refuse a room: what is not well-formed is as if it had not been said, as W3C wants it. */
    private static Extras withTraceparent(Extras x, String traceparent) {
        return x.withTraceparent(Traceparent.isWellFormed(traceparent) ? traceparent : "");
    }

    private static Extras withKey(Extras x, String key) {
        return new Extras(
                x.epoch(),
                x.target(),
                x.generation(),
                x.dummy(),
                x.quiet(),
                x.errorCode(),
                key,
                x.layout(),
                x.traceparent());
    }

    /** Packs an unsigned number unless it is 0. */
    private static void number(MessagePacker out, String key, long bits) throws IOException {
        if (bits > 0) {
            out.packString(key).packLong(bits);
        } else if (bits < 0) {
            out.packString(key).packBigInteger(new BigInteger(Long.toUnsignedString(bits)));
        }
    }

    private static int count(Boolean... present) {
        return (int) List.of(present).stream().filter(p -> p).count();
    }
}
