package io.weft.backend.tcp;

import io.weft.api.ErrorCode;
import io.weft.api.WeftException;
import io.weft.spi.WireVectors;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The codec of TCP protocol v3 for {@code weft vectors}; kinds and values are those of the golden file. */
public final class V3Vectors implements WireVectors {
    private static final Map<String, Byte> CONTROL = Map.of(
            "TcpCtrlFrame(HELLO=1)", V3.HELLO,
            "TcpCtrlFrame(WRITE_REQ=2)", V3.WRITE,
            "TcpCtrlFrame(READ_REQ=3)", V3.READ,
            "TcpCtrlFrame(BATCH_WRITE_REQ=4)", V3.BATCH_WRITE,
            "TcpCtrlFrame(BATCH_READ_REQ=5)", V3.BATCH_READ,
            "TcpCtrlFrame(COMPLETION=6)", V3.COMPLETION);
    private static final String DATA = "TcpDataHeader";

    /** For {@link java.util.ServiceLoader}. */
    public V3Vectors() {}

    @Override
    public List<String> kinds() {
        List<String> kinds = new ArrayList<>(CONTROL.keySet());
        kinds.add(DATA);
        kinds.sort(null);
        return List.copyOf(kinds);
    }

    @Override
    public byte[] encode(String kind, Map<String, Object> values) {
        try {
            return encode(kind, new Fields(kind, values));
        } catch (ClassCastException | NumberFormatException | NullPointerException | IndexOutOfBoundsException wrong) {
            throw new WeftException(
                    ErrorCode.INVALID_ARGUMENT, "cannot encode " + values + " as " + kind + ": " + wrong, wrong);
        }
    }

    private static byte[] encode(String kind, Fields values) {
        if (kind.equals(DATA)) {
            ByteBuffer out = ByteBuffer.allocate(V3.DATA_HEADER);
            V3.dataHeader(
                    out,
                    (byte) values.small("kind"),
                    values.small("lane"),
                    values.unsigned("opId"),
                    values.unsigned("payloadLen"));
            return out.array();
        }
        byte type = type(kind);
        if (type == V3.HELLO) {
            ByteBuffer hello = new V3.Hello((byte) values.small("channel"), values.text("engineKey")).encode();
            byte[] bytes = new byte[hello.remaining()];
            hello.get(bytes);
            return bytes;
        }
        if (type == V3.COMPLETION) {
            byte[] text = values.text("message").getBytes(StandardCharsets.UTF_8);
            ByteBuffer out = ByteBuffer.allocate(V3.CONTROL_HEADER + V3.COMPLETION_FIXED + text.length);
            V3.completion(out, values.unsigned("opId"), values.small("statusCode"), text);
            return out.array();
        }
        long operation = values.unsigned("opId");
        int memory = (int) values.unsigned("memId");
        int lanes = values.small("lanes");
        if (type == V3.WRITE || type == V3.READ) {
            ByteBuffer out = ByteBuffer.allocate(V3.CONTROL_HEADER + V3.LINEAR_BODY);
            V3.linear(out, type, operation, memory, values.unsigned("offset"), values.unsigned("size"), lanes);
            return out.array();
        }
        List<Object> offsets = values.list("offsets");
        List<Object> sizes = values.list("sizes");
        ByteBuffer out =
                ByteBuffer.allocate(V3.CONTROL_HEADER + V3.BATCH_FIXED + offsets.size() * V3.SEGMENT_BYTES + 1);
        V3.batchHead(out, type, operation, memory, offsets.size());
        for (int i = 0; i < offsets.size(); i++) {
            out.putLong(Fields.unsigned(offsets.get(i))).putLong(Fields.unsigned(sizes.get(i)));
        }
        return out.put((byte) lanes).array();
    }

    @Override
    public Map<String, Object> decode(String kind, byte[] bytes) {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        Map<String, Object> values = new LinkedHashMap<>();
        boolean whole;
        try {
            whole = decode(kind, in, values);
        } catch (IOException malformed) {
            throw new WeftException(ErrorCode.PROTOCOL, kind + ": " + malformed.getMessage(), malformed);
        }
        if (!whole || in.hasRemaining()) {
            throw new WeftException(
                    ErrorCode.DECODE_ERROR,
                    kind + " of " + bytes.length + " bytes is "
                            + (whole ? "followed by " + in.remaining() + " more" : "truncated"));
        }
        return values;
    }

    private static boolean decode(String kind, ByteBuffer in, Map<String, Object> values) throws IOException {
        if (kind.equals(DATA)) {
            if (in.remaining() < V3.DATA_HEADER) {
                return false;
            }
            V3.checkDataHeader(in, 0);
            in.position(6);
            values.put("kind", (long) in.get());
            values.put("lane", (long) in.get());
            values.put("opId", Long.toUnsignedString(in.getLong()));
            values.put("payloadLen", Long.toUnsignedString(in.getLong()));
            return true;
        }
        byte type = type(kind);
        if (in.remaining() >= V3.CONTROL_HEADER && in.get(6) != type) {
            throw new ProtocolException("the frame is of type " + in.get(6));
        }
        if (type != V3.HELLO) {
            return new V3Parser().parse(in, new Collector(values));
        }
        V3.Hello hello = V3.Hello.decode(in);
        if (hello != null) {
            values.put("channel", (long) hello.channel());
            values.put("engineKey", hello.key());
        }
        return hello != null;
    }

    private static byte type(String kind) {
        Byte type = CONTROL.get(kind);
        if (type == null) {
            throw new WeftException(
                    ErrorCode.INVALID_ARGUMENT, "the tcp backend knows no vectors of kind '" + kind + "'");
        }
        return type;
    }

    /** Values of a vector by name. */
    private record Fields(String kind, Map<String, Object> values) {
        int small(String name) {
            return Math.toIntExact((Long) value(name));
        }

        long unsigned(String name) {
            return unsigned(value(name));
        }

        static long unsigned(Object value) {
            return value instanceof Long number ? number : Long.parseUnsignedLong((String) value);
        }

        String text(String name) {
            return (String) value(name);
        }

        @SuppressWarnings("unchecked") // a list of anything is a list of objects
        List<Object> list(String name) {
            return (List<Object>) value(name);
        }

        private Object value(String name) {
            Object value = values.get(name);
            if (value == null) {
                throw new WeftException(
                        ErrorCode.INVALID_ARGUMENT, "the vector of kind " + kind + " has no value '" + name + "'");
            }
            return value;
        }
    }

    /** Turns what the parser sees into the values of a vector. */
    private record Collector(Map<String, Object> values) implements V3Parser.Sink {
        @Override
        public void onRequest(long operation, int memory, boolean read, boolean batch) {
            values.put("opId", Long.toUnsignedString(operation));
            values.put("memId", Integer.toUnsignedLong(memory));
            if (batch) {
                values.put("offsets", new ArrayList<>());
                values.put("sizes", new ArrayList<>());
            }
        }

        @Override
        public void onSegment(long offset, long size) {
            add("offset", offset);
            add("size", size);
        }

        @SuppressWarnings("unchecked") // onRequest put the lists there
        private void add(String name, long value) {
            Object list = values.get(name + "s");
            if (list != null) {
                ((List<Object>) list).add(Long.toUnsignedString(value));
            } else {
                values.put(name, Long.toUnsignedString(value));
            }
        }

        @Override
        public void onLanes(int lanes) {
            values.put("lanes", (long) lanes);
        }

        @Override
        public void onCompletion(long operation, int status, byte[] text, int textBytes) {
            values.put("opId", Long.toUnsignedString(operation));
            values.put("statusCode", (long) status);
            values.put("message", new String(text, 0, textBytes, StandardCharsets.UTF_8));
        }
    }
}
