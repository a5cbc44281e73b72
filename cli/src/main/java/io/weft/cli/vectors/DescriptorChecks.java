package io.weft.cli.vectors;

import io.weft.api.EngineDescriptor;
import io.weft.api.ErrorCode;
import io.weft.api.MemoryDescriptor;
import io.weft.api.WeftException;
import io.weft.engine.Descriptors;
import java.util.Arrays;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** Vectors of MORI-IO descriptors: packed, unpacked and packed again. */
final class DescriptorChecks {
    private DescriptorChecks() {}

    static Object engine(JsonNode vector) {
        JsonNode v = vector.get("values");
        byte[] packed = Descriptors.pack(new EngineDescriptor(
                v.get("key").asString(),
                v.get("nodeId").asString(),
                v.get("hostname").asString(),
                v.get("host").asString(),
                v.get("port").intValue(),
                v.get("pid").intValue()));
        return result(packed, Descriptors.pack(Descriptors.unpackEngine(packed)));
    }

    static Object memory(JsonNode vector) {
        JsonNode v = vector.get("values");
        byte[] packed = Descriptors.pack(MemoryDescriptor.builder()
                .engineKey(v.get("engineKey").asString())
                .id((int) v.get("id").longValue())
                .device(v.get("deviceId").intValue(), v.get("deviceBusId").asString())
                .range(Nodes.unsigned(v.get("data")), Nodes.unsigned(v.get("size")))
                .location(v.get("loc").intValue())
                .ipc(Nodes.bytes(v.get("ipcHandleHex")), Nodes.unsigned(v.get("ipcOffset")))
                .numaNode(v.get("numaNode").intValue())
                .fabric(
                        Nodes.bytes(v.get("fabricHandleHex")),
                        Nodes.unsigned(v.get("fabricOffset")),
                        Nodes.unsigned(v.get("fabricAllocSize")))
                .vpod(v.get("vpodId").intValue(), v.get("vpodPpodId").asString())
                .build());
        return result(packed, Descriptors.pack(Descriptors.unpackMemory(packed)));
    }

    private static Object result(byte[] packed, byte[] again) {
        if (!Arrays.equals(packed, again)) {
            throw new WeftException(ErrorCode.INTERNAL, "unpacked and packed again it becomes " + Nodes.hex(again));
        }
        return Map.of("hex", Nodes.hex(packed), "bytes", packed.length);
    }
}
