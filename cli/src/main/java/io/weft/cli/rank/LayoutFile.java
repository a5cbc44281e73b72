package io.weft.cli.rank;

import io.weft.api.ErrorCode;
import io.weft.api.WeftException;
import io.weft.kv.layout.ParallelLayout;
import io.weft.kv.layout.StateType;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A rank's layout.json.
 *
 * @param parallel place in the parallel layout
 * @param engineRank rank told to peers
 * @param pageSize tokens of a page
 * @param startLayer first model layer of this stage
 * @param endLayer model layer after the last
 * @param kvHeads KV heads of the model
 * @param headDim elements of a head
 * @param dtypeBytes bytes of an element
 * @param pages pages in each buffer
 * @param mla one latent buffer per layer
 * @param auxItemLens bytes of a row of each aux buffer
 * @param auxSlots rows of each aux buffer
 * @param roomCell aux buffer whose rows begin with the room, -1 for none
 * @param states state components
 * @param gpuId device told to peers
 * @param dtype element type told to peers
 * @param loadBalance load balance method
 * @param localIp control address, empty for the configured one
 */
record LayoutFile(
        ParallelLayout parallel,
        int engineRank,
        int pageSize,
        int startLayer,
        int endLayer,
        int kvHeads,
        int headDim,
        int dtypeBytes,
        int pages,
        boolean mla,
        int[] auxItemLens,
        int auxSlots,
        int roomCell,
        List<State> states,
        int gpuId,
        String dtype,
        String loadBalance,
        String localIp) {
    /** One state component, sizes of this rank. */
    record State(StateType type, int slots, long[] itemLens, long[] dims) {}

    private static final int[] NO_AUX = {};

    static LayoutFile read(Path file) {
        try {
            return new Fields(file.toString(), JsonMapper.shared().readTree(file.toFile())).layout();
        } catch (JacksonException e) {
            throw new WeftException(
                    ErrorCode.INVALID_ARGUMENT, "layout " + file + " cannot be read: " + e.getOriginalMessage(), e);
        }
    }

    /** Bytes of one head of one token. */
    int headBytes() {
        return headDim * dtypeBytes;
    }

    /** Reads fields with their names in the error texts. */
    private record Fields(String file, JsonNode root) {
        LayoutFile layout() {
            int tp = number("tp", 1);
            int pp = number("pp", 1);
            int ppRank = number("ppRank", 0);
            int layers = required("layers");
            boolean dpAttention = root.path("dpAttention").asBoolean(false);
            int dp = number("dp", 1);
            JsonNode aux = root.path("aux");
            JsonNode itemLens = aux.path("itemLens");
            return new LayoutFile(
                    new ParallelLayout(
                            tp,
                            number("tpRank", 0),
                            number("cp", 1),
                            number("cpRank", 0),
                            dp,
                            number("dpRank", 0),
                            pp,
                            ppRank,
                            dpAttention ? 1 : number("serverDpSize", 1),
                            number("systemDpRank", 0)),
                    number("engineRank", number("tpRank", 0)),
                    required("pageSize"),
                    number("startLayer", layers * ppRank / pp),
                    number("endLayer", layers * (ppRank + 1) / pp),
                    required("kvHeads"),
                    required("headDim"),
                    required("dtypeBytes"),
                    required("pages"),
                    root.path("mla").asBoolean(false),
                    itemLens.isArray() ? ints(itemLens) : NO_AUX,
                    aux.path("slots").asInt(0),
                    aux.path("roomCell").asInt(-1),
                    states(),
                    number("gpuId", 0),
                    root.path("kvCacheDtype").asString("auto"),
                    root.path("loadBalanceMethod").asString("follow_bootstrap_room"),
                    root.path("localIp").asString(""));
        }

        private List<State> states() {
            List<State> states = new ArrayList<>();
            for (JsonNode state : root.path("state")) {
                states.add(new State(
                        StateType.of(state.path("type").asString("")),
                        state.path("slots").asInt(0),
                        longs(state.path("itemLens")),
                        longs(state.path("dims"))));
            }
            return states;
        }

        private int required(String name) {
            if (!root.path(name).isIntegralNumber()) {
                throw new WeftException(
                        ErrorCode.INVALID_ARGUMENT,
                        "layout " + file + ": '" + name + "' is missing or no whole number");
            }
            return number(name, 0);
        }

        private int number(String name, int otherwise) {
            JsonNode value = root.path(name);
            if (value.isMissingNode() || value.isNull()) {
                return otherwise;
            }
            if (!value.canConvertToInt() || !value.isIntegralNumber() || value.asInt() < 0) {
                throw new WeftException(
                        ErrorCode.INVALID_ARGUMENT,
                        "layout " + file + ": '" + name + "' must be a whole number from 0, found " + value);
            }
            return value.asInt();
        }

        private static int[] ints(JsonNode array) {
            int[] values = new int[array.size()];
            for (int i = 0; i < values.length; i++) {
                values[i] = array.get(i).asInt();
            }
            return values;
        }

        private static long[] longs(JsonNode array) {
            long[] values = new long[array.size()];
            for (int i = 0; i < values.length; i++) {
                values[i] = array.get(i).asLong();
            }
            return values;
        }
    }
}
