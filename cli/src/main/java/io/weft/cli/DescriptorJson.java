package io.weft.cli;

import io.weft.api.EngineDescriptor;
import io.weft.api.ErrorCode;
import io.weft.api.MemoryDescriptor;
import io.weft.api.WeftException;
import io.weft.engine.Descriptors;
import io.weft.engine.NodeMarker;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Descriptors as JSON, in the form of the golden vectors: {@code kind} and {@code values}, unsigned 64-bit numbers as decimal
 * strings, bytes as hex strings.
 */
final class DescriptorJson {
    private static final String ENGINE = "EngineDesc";
    private static final String MEMORY = "MemoryDesc";
    private static final HexFormat HEX = HexFormat.of();

    private DescriptorJson() {}

    /** Reads packed bytes of either kind: in an engine's the second field is a text, in a region's a number. */
    static Map<String, Object> decode(byte[] packed) {
        try {
            return map(Descriptors.unpackEngine(packed));
        } catch (WeftException noEngine) {
            try {
                return map(Descriptors.unpackMemory(packed));
            } catch (WeftException noMemory) {
                throw new WeftException(
                        ErrorCode.DECODE_ERROR,
                        "decode " + packed.length + " bytes: as an engine descriptor: " + noEngine.getMessage()
                                + "; as a memory descriptor: " + noMemory.getMessage(),
                        noMemory);
            }
        }
    }

    static byte[] encode(String json) {
        try {
            JsonNode root = JsonMapper.shared().readTree(json);
            Fields fields = new Fields(root.path("values"));
            return switch (root.path("kind").asString("")) {
                case ENGINE -> Descriptors.pack(engine(fields));
                case MEMORY -> Descriptors.pack(memory(fields));
                default ->
                    throw invalid("its \"kind\" is neither \"" + ENGINE + "\" nor \"" + MEMORY
                            + "\"; weft descriptor decode --json prints the form");
            };
        } catch (JacksonException e) {
            throw invalid("it is no JSON: " + e.getOriginalMessage());
        }
    }

    private static Map<String, Object> map(EngineDescriptor d) {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("key", d.key());
        values.put("nodeId", d.nodeId());
        values.put("hostname", d.hostname());
        values.put("host", d.host());
        values.put("port", d.port());
        values.put("pid", d.pid());
        Map<String, Object> map = described(ENGINE, values);
        NodeMarker.parse(d.nodeId())
                .ifPresent(m -> map.put(
                        "weft",
                        Map.of(
                                "wire",
                                m.wireMajor() + "." + m.wireMinor(),
                                "incarnation",
                                HEX.toHexDigits(m.incarnation()))));
        return map;
    }

    private static Map<String, Object> map(MemoryDescriptor d) {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("engineKey", d.engineKey());
        values.put("id", Integer.toUnsignedLong(d.id()));
        values.put("deviceId", d.deviceId());
        values.put("deviceBusId", d.deviceBusId());
        values.put("data", Long.toUnsignedString(d.address()));
        values.put("size", Long.toUnsignedString(d.length()));
        values.put("loc", d.location());
        values.put("ipcHandleHex", HEX.formatHex(d.ipcHandle()));
        values.put("numaNode", d.numaNode());
        values.put("ipcOffset", Long.toUnsignedString(d.ipcOffset()));
        values.put("fabricHandleHex", HEX.formatHex(d.fabricHandle()));
        values.put("vpodId", d.vpodId());
        values.put("vpodPpodId", d.vpodPpodId());
        values.put("fabricOffset", Long.toUnsignedString(d.fabricOffset()));
        values.put("fabricAllocSize", Long.toUnsignedString(d.fabricAllocSize()));
        return described(MEMORY, values);
    }

    private static Map<String, Object> described(String kind, Map<String, Object> values) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("kind", kind);
        map.put("values", values);
        return map;
    }

    private static EngineDescriptor engine(Fields f) {
        return new EngineDescriptor(
                f.text("key"),
                f.text("nodeId"),
                f.text("hostname"),
                f.text("host"),
                f.integer("port"),
                f.integer("pid"));
    }

    private static MemoryDescriptor memory(Fields f) {
        return MemoryDescriptor.builder()
                .engineKey(f.text("engineKey"))
                .id((int) f.unsigned("id"))
                .device(f.integer("deviceId"), f.text("deviceBusId"))
                .range(f.unsigned("data"), f.unsigned("size"))
                .location(f.integer("loc"))
                .ipc(f.bytes("ipcHandleHex"), f.unsigned("ipcOffset"))
                .numaNode(f.integer("numaNode"))
                .fabric(f.bytes("fabricHandleHex"), f.unsigned("fabricOffset"), f.unsigned("fabricAllocSize"))
                .vpod(f.integer("vpodId"), f.text("vpodPpodId"))
                .build();
    }

    private static WeftException invalid(String why) {
        return new WeftException(ErrorCode.INVALID_ARGUMENT, "encode a descriptor: " + why);
    }

    /** Fields of {@code values}, each required, because a forgotten one would silently become another descriptor. */
    private record Fields(JsonNode values) {
        String text(String name) {
            JsonNode field = field(name);
            if (!field.isString()) {
                throw invalid("values." + name + " is " + field + ", not a text");
            }
            return field.asString();
        }

        int integer(String name) {
            JsonNode field = field(name);
            if (!field.canConvertToInt()) {
                throw invalid("values." + name + " is " + field + ", not a whole number of 32 bits");
            }
            return field.intValue();
        }

        long unsigned(String name) {
            try {
                return Long.parseUnsignedLong(field(name).asString());
            } catch (NumberFormatException e) {
                throw invalid("values." + name + " is " + field(name) + ", not an unsigned number of 64 bits");
            }
        }

        byte[] bytes(String name) {
            try {
                return HEX.parseHex(text(name));
            } catch (IllegalArgumentException e) {
                throw invalid("values." + name + " is no hex text");
            }
        }

        private JsonNode field(String name) {
            JsonNode field = values.path(name);
            if (field.isMissingNode()) {
                throw invalid("values." + name + " is missing");
            }
            return field;
        }
    }
}
