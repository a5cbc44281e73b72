package io.weft.backend.rdma.mori;

import io.weft.api.ErrorCode;
import io.weft.api.WeftException;
import io.weft.backend.rdma.mori.RegEndpoint.Topology;
import io.weft.spi.WireVectors;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The codec of MORI-IO's RDMA control plane for {@code weft vectors}; kinds and values are those of the golden file. */
public final class RdmaVectors implements WireVectors {
    private static final String CONTROL = "ControlFrame";
    private static final String NOTIFICATION = "RdmaNotification";

    /** For {@link java.util.ServiceLoader}. */
    public RdmaVectors() {}

    @Override
    public List<String> kinds() {
        return List.of(CONTROL, NOTIFICATION);
    }

    @Override
    public byte[] encode(String kind, Map<String, Object> values) {
        try {
            if (kind.startsWith(NOTIFICATION)) {
                byte[] bytes = new byte[Notification.BYTES];
                Notification.write(
                        MemorySegment.ofArray(bytes),
                        bits(values, "id"),
                        small(values, "qpIndex"),
                        small(values, "totalNum"));
                return bytes;
            }
            return (type(kind) == RegEndpoint.TYPE ? endpoint(values) : region(values)).encode();
        } catch (ClassCastException | NullPointerException | IllegalArgumentException | ArithmeticException wrong) {
            throw new WeftException(
                    ErrorCode.INVALID_ARGUMENT, "cannot encode " + values + " as " + kind + ": " + wrong, wrong);
        }
    }

    @Override
    public Map<String, Object> decode(String kind, byte[] bytes) {
        if (kind.startsWith(NOTIFICATION)) {
            Notification one = Notification.read(MemorySegment.ofArray(bytes));
            return ordered(
                    "id", Long.toUnsignedString(one.transfer()), "qpIndex", (long) one.index(), "totalNum", (long)
                            one.total());
        }
        if (bytes.length < ControlFrame.HEADER_BYTES || bytes[0] != type(kind)) {
            throw ControlFrame.malformed("it is truncated or of another type than " + kind);
        }
        ByteBuffer in = ByteBuffer.wrap(bytes);
        if (ControlFrame.bodyLength(in) != bytes.length - ControlFrame.HEADER_BYTES) {
            throw ControlFrame.malformed("its body is not as long as it says: truncated");
        }
        byte[] body = new byte[bytes.length - ControlFrame.HEADER_BYTES];
        in.get(ControlFrame.HEADER_BYTES, body);
        return switch (ControlFrame.decode(bytes[0], body)) {
            case RegEndpoint frame -> values(frame);
            case AskMemoryRegion frame -> values(frame);
        };
    }

    private static byte type(String kind) {
        return switch (kind) {
            case CONTROL + "(type=0)" -> RegEndpoint.TYPE;
            case CONTROL + "(type=1)" -> AskMemoryRegion.TYPE;
            default ->
                throw new WeftException(
                        ErrorCode.INVALID_ARGUMENT, "the rdma backend knows no vectors of kind '" + kind + "'");
        };
    }

    private static RegEndpoint endpoint(Map<String, Object> values) {
        List<?> sides = (List<?>) value(values, "topo");
        Map<String, Object> handle = map(values, "eph");
        Map<String, Object> ethernet = map(handle, "eth");
        return new RegEndpoint(
                (String) value(values, "ekey"),
                topology((List<?>) sides.get(0)),
                topology((List<?>) sides.get(1)),
                small(values, "devId"),
                (int) bits(handle, "psn"),
                (int) bits(handle, "qpn"),
                small(handle, "portId"),
                small(map(handle, "ib"), "lid"),
                HexFormat.of().parseHex((String) value(ethernet, "gidHex")),
                HexFormat.of().parseHex((String) value(ethernet, "macHex")),
                small(values, "nicRank"),
                small(values, "railId"));
    }

    private static AskMemoryRegion region(Map<String, Object> values) {
        Map<String, Object> region = map(values, "mr");
        return new AskMemoryRegion(
                (String) value(values, "ekey"),
                small(values, "devId"),
                (int) bits(values, "id"),
                bits(region, "addr"),
                (int) bits(region, "lkey"),
                (int) bits(region, "rkey"),
                bits(region, "length"));
    }

    private static Map<String, Object> values(RegEndpoint frame) {
        Object ethernet = ordered(
                "gidHex",
                HexFormat.of().formatHex(frame.gid()),
                "macHex",
                HexFormat.of().formatHex(frame.mac()));
        Object handle = ordered(
                "psn",
                Integer.toUnsignedLong(frame.psn()),
                "qpn",
                Integer.toUnsignedLong(frame.qpn()),
                "portId",
                (long) frame.port(),
                "ib",
                ordered("lid", (long) frame.lid()),
                "eth",
                ethernet);
        return ordered(
                "ekey",
                frame.engineKey(),
                "topo",
                List.of(list(frame.initiatorSide()), list(frame.targetSide())),
                "devId",
                (long) frame.device(),
                "eph",
                handle,
                "nicRank",
                (long) frame.nicRank(),
                "railId",
                (long) frame.railId());
    }

    private static Map<String, Object> values(AskMemoryRegion frame) {
        Object region = ordered(
                "addr",
                Long.toUnsignedString(frame.address()),
                "lkey",
                Integer.toUnsignedLong(frame.lkey()),
                "rkey",
                Integer.toUnsignedLong(frame.rkey()),
                "length",
                Long.toUnsignedString(frame.length()));
        return ordered(
                "ekey",
                frame.engineKey(),
                "devId",
                (long) frame.device(),
                "id",
                Integer.toUnsignedLong(frame.memory()),
                "mr",
                region);
    }

    private static Topology topology(List<?> key) {
        return new Topology(
                Math.toIntExact((Long) key.get(0)), Math.toIntExact((Long) key.get(1)), Math.toIntExact((Long)
                        key.get(2)));
    }

    private static List<Object> list(Topology key) {
        return List.of((long) key.deviceId(), (long) key.location(), (long) key.numaNode());
    }

    private static Map<String, Object> ordered(Object... namesAndValues) {
        Map<String, Object> map = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            map.put((String) namesAndValues[i], namesAndValues[i + 1]);
        }
        return map;
    }

    @SuppressWarnings("unchecked") // values of a vector have string keys
    private static Map<String, Object> map(Map<String, Object> values, String name) {
        return (Map<String, Object>) value(values, name);
    }

    private static int small(Map<String, Object> values, String name) {
        return Math.toIntExact((Long) value(values, name));
    }

    private static long bits(Map<String, Object> values, String name) {
        return value(values, name) instanceof Long number
                ? number
                : Long.parseUnsignedLong((String) value(values, name));
    }

    private static Object value(Map<String, Object> values, String name) {
        Object value = values.get(name);
        if (value == null) {
            throw new IllegalArgumentException("it has no value '" + name + "'");
        }
        return value;
    }
}
