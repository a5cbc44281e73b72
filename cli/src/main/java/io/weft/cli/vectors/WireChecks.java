package io.weft.cli.vectors;

import io.weft.api.ErrorCode;
import io.weft.api.WeftException;
import io.weft.kv.wire.AuxData;
import io.weft.kv.wire.Decoded;
import io.weft.kv.wire.DescriptorLists;
import io.weft.kv.wire.Extras;
import io.weft.kv.wire.IntLists;
import io.weft.kv.wire.IntLists.Width;
import io.weft.kv.wire.KvCodec;
import io.weft.kv.wire.KvMessage;
import io.weft.kv.wire.NetworkAddress;
import io.weft.kv.wire.PeerRegistration;
import io.weft.kv.wire.Receiver;
import io.weft.kv.wire.RoomAbort;
import io.weft.kv.wire.RoomStatus;
import io.weft.kv.wire.TransferMetadata;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Vectors of frames, lists and addresses. */
final class WireChecks {
    private WireChecks() {}

    static Object packIntLists(JsonNode vector) {
        JsonNode inputs = vector.get("inputs");
        Width width = width(inputs);
        long[][] lists = inputs.get("lists")
                .valueStream()
                .map(list -> list.valueStream()
                        .mapToLong(n -> width == Width.UINT64 ? Nodes.unsigned(n) : n.longValue())
                        .toArray())
                .toArray(long[][]::new);
        byte[] packed = IntLists.pack(lists, width);
        return Map.of("hex", Nodes.hex(packed), "length", packed.length);
    }

    static Object unpackIntLists(JsonNode vector) {
        JsonNode inputs = vector.get("inputs");
        Width width = width(inputs);
        long[][] lists = IntLists.unpack(Nodes.bytes(inputs.get("hex")), width);
        return Map.of(
                "lists",
                Arrays.stream(lists)
                        .map(list -> Arrays.stream(list)
                                .mapToObj(n -> width == Width.UINT64 ? new BigInteger(Long.toUnsignedString(n)) : n)
                                .toList())
                        .toList());
    }

    static Object metadata(JsonNode vector) {
        JsonNode in = vector.get("inputs");
        boolean dummy = Nodes.flag(in, "is_dummy");
        TransferMetadata message = new TransferMetadata(
                Nodes.unsigned(in.get("room")),
                in.get("local_ip").asString(),
                in.get("rank_port").intValue(),
                in.get("engine_key").asString(),
                dummy ? new int[0] : Nodes.ints(in.get("kv_pages")),
                dummy ? -1 : Nodes.integer(in, "aux_index", -1),
                dummy || !Nodes.present(in, "state_indices") ? new int[0][] : state(in.get("state_indices")),
                in.get("required_dst_info_num").intValue(),
                Nodes.integer(in, "decode_prefix_len", 0),
                Extras.NONE);
        List<byte[]> frames = KvCodec.encode(message);
        TransferMetadata parsed = (TransferMetadata) accepted(Receiver.PREFILL, frames);
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("is_dummy", parsed.isDummy());
        fields.put("dst_aux_index", parsed.auxIndex());
        fields.put("decode_prefix_len", parsed.prefixTokens() == 0 ? null : parsed.prefixTokens());
        fields.put("dst_state_indices", parsed.stateIndices());
        return Map.of("frames_hex", Nodes.hex(frames), "parsed", fields);
    }

    static Object status(JsonNode vector) {
        JsonNode in = vector.get("inputs");
        return frames(new RoomStatus(
                Nodes.unsigned(in.get("room")),
                in.get("status").intValue(),
                in.get("prefill_unique_rank").intValue(),
                Nodes.present(in, "reason") ? in.get("reason").asString() : "",
                Extras.NONE));
    }

    static Object aux(JsonNode vector) {
        JsonNode in = vector.get("inputs");
        return frames(new AuxData(
                Nodes.unsigned(in.get("room")),
                in.get("buffer_index").intValue(),
                in.get("aux_index").intValue(),
                Nodes.bytes(in.get("data_hex")),
                Extras.NONE));
    }

    static Object abort(JsonNode vector) {
        JsonNode in = vector.get("inputs");
        return frames(new RoomAbort(
                Nodes.unsigned(in.get("room")),
                in.get("local_ip").asString(),
                in.get("rank_port").intValue(),
                Extras.NONE));
    }

    static Object descriptorList(JsonNode vector) {
        JsonNode blobs = vector.get("inputs").get("blobs_hex");
        return Map.of("hex", Nodes.hex(DescriptorLists.pack(Nodes.list(blobs, Nodes::bytes))));
    }

    static Object descriptorLists(JsonNode vector) {
        JsonNode blobs = vector.get("inputs").get("blobs_hex");
        return Map.of(
                "hex", Nodes.hex(DescriptorLists.packNested(Nodes.list(blobs, c -> Nodes.list(c, Nodes::bytes)))));
    }

    static Object address(JsonNode vector) {
        JsonNode in = vector.get("inputs");
        NetworkAddress address =
                new NetworkAddress(in.get("host").asString(), in.get("port").intValue());
        return Map.of("tcp", address.tcp(), "is_ipv6", address.isIpv6());
    }

    static Object parsedAddress(JsonNode vector) {
        NetworkAddress address =
                NetworkAddress.parse(vector.get("inputs").get("addr").asString());
        return Map.of("host", address.host(), "port", address.port());
    }

    /** A message that the original was seen to send: read, then written again. */
    static Object originalMessage(JsonNode vector) {
        Receiver receiver =
                vector.get("direction").asString().endsWith(">prefill") ? Receiver.PREFILL : Receiver.DECODE;
        KvMessage message = accepted(receiver, Nodes.list(vector.get("frames"), Nodes::bytes));
        return Map.of("kind", kind(message), "frames", Nodes.hex(KvCodec.encode(message)));
    }

    private static Object frames(KvMessage message) {
        List<byte[]> frames = KvCodec.encode(message);
        Receiver receiver = message instanceof RoomAbort ? Receiver.PREFILL : Receiver.DECODE;
        return Map.of("frames_hex", Nodes.hex(KvCodec.encode(accepted(receiver, frames))));
    }

    private static KvMessage accepted(Receiver receiver, List<byte[]> frames) {
        return switch (KvCodec.decode(receiver, frames)) {
            case Decoded.Accepted accepted -> accepted.message();
            case Decoded.Rejected rejected -> throw new WeftException(ErrorCode.DECODE_ERROR, rejected.text());
        };
    }

    private static String kind(KvMessage message) {
        return switch (message) {
            case PeerRegistration _ -> "registration";
            case TransferMetadata _ -> "metadata";
            case RoomStatus _ -> "status";
            case AuxData _ -> "aux";
            case RoomAbort _ -> "abort";
        };
    }

    private static int[][] state(JsonNode components) {
        return components
                .valueStream()
                .map(c -> c.isNull() ? new int[0] : Nodes.ints(c))
                .toArray(int[][]::new);
    }

    private static Width width(JsonNode inputs) {
        return switch (inputs.get("fmt").asString()) {
            case "i" -> Width.INT32;
            case "I" -> Width.UINT32;
            case "Q" -> Width.UINT64;
            default -> throw new IllegalArgumentException("unknown fmt " + inputs.get("fmt"));
        };
    }
}
