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
        long epoch = 0;
        long target = 0;
        long generation = 0;
        Boolean dummy = null;
        Quiet quiet = Quiet.UNSAID;
        int errorCode = 0;
        String engineKey = "";
        PeerLayout layout = null;
        String traceparent = "";
        for (int i = in.mapHeader(); i > 0; i--) {
            switch (in.text()) {
                case "ep" -> epoch = in.bits();
                case "to" -> target = in.bits();
                case "gen" -> generation = in.bits();
                case "dummy" -> dummy = in.bool();
                case "quiet" -> quiet = Quiet.of(in.integer());
                case "code" -> errorCode = in.integer();
                case "key" -> engineKey = in.text();
                case "layout" -> layout = LayoutCodec.decode(in);
                case "tp" -> traceparent = wellFormed(in.text());
                default -> in.skip();
            }
        }
        in.end();
        return new Extras(epoch, target, generation, dummy, quiet, errorCode, engineKey, layout, traceparent);
    }

    /** A trace is no reason to refuse a room: what is not well-formed is as if it had not been said, as W3C wants it. */
    private static String wellFormed(String traceparent) {
        return Traceparent.isWellFormed(traceparent) ? traceparent : "";
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
