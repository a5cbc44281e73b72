package io.weft.replay.rank;

import io.weft.replay.model.ScaledModel;
import io.weft.replay.model.StateGeometry;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The layout files of a side's ranks.
 *
 * @param model what is kept per page
 * @param tp tensor-parallel ranks
 * @param pp pipeline stages
 * @param pages pages in each rank's pool
 * @param requests requests that can be open at once: aux rows and state slots
 */
public record RankLayout(ScaledModel model, int tp, int pp, int pages, int requests) {
    /** Bytes of the aux rows of a request; the third one holds the room. */
    private static final int[] AUX_BYTES = {64, 128, 64};

    private static final int ROOM_CELL = 2;

    /** Refuses ranks that cannot share the model's heads or state evenly. */
    public RankLayout {
        int heads = model.geometry().kvHeads();
        if (heads % tp != 0 && tp % heads != 0) {
            throw new IllegalArgumentException(heads + " KV heads of model "
                    + model.geometry().name() + " cannot be shared by " + tp
                    + " tensor-parallel ranks: neither divides the other");
        }
        for (StateGeometry state : model.geometry().states()) {
            if (state.dimension() > 0 && state.dimension() % tp != 0) {
                throw new IllegalArgumentException("state '" + state.type() + "' of model "
                        + model.geometry().name() + " has " + state.dimension() + " slices, which " + tp
                        + " tensor-parallel ranks cannot share evenly");
            }
        }
    }

    /**
     * The layout of one rank.
     *
     * @param rank number of the rank: stage x tp + tensor rank
     * @return the content of a layout file
     */
    public ObjectNode of(int rank) {
        ObjectNode layout = JsonMapper.shared().createObjectNode();
        layout.put("tp", tp).put("tpRank", rank % tp).put("pp", pp).put("ppRank", rank / tp);
        layout.put("pageSize", ScaledModel.PAGE_TOKENS);
        layout.put("layers", model.layers());
        layout.put("kvHeads", model.geometry().kvHeads());
        layout.put("headDim", model.geometry().headDim());
        layout.put("dtypeBytes", model.geometry().elementBytes());
        layout.put("mla", model.geometry().mla());
        layout.put("pages", pages);
        ObjectNode aux = layout.putObject("aux");
        ArrayNode lengths = aux.putArray("itemLens");
        for (int bytes : AUX_BYTES) {
            lengths.add(bytes);
        }
        aux.put("slots", requests).put("roomCell", ROOM_CELL);
        ArrayNode states = layout.putArray("state");
        model.geometry().states().forEach(state -> states.add(component(state)));
        return layout;
    }

    private ObjectNode component(StateGeometry state) {
        boolean sliced = state.dimension() > 0;
        boolean byHeads = !sliced && !model.geometry().mla();
        ObjectNode component = JsonMapper.shared().createObjectNode();
        component.put("type", state.type()).put("slots", requests * state.itemsPerRequest());
        ArrayNode lengths = component.putArray("itemLens");
        ArrayNode dimensions = component.putArray("dims");
        for (int tensor = 0; tensor < model.tensors(state); tensor++) {
            lengths.add(sliced || byHeads ? state.itemBytes() / tp : state.itemBytes());
            if (sliced) {
                dimensions.add(state.dimension() / tp);
            }
        }
        return component;
    }
}
