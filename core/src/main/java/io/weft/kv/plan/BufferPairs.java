package io.weft.kv.plan;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Which source buffer belongs to which destination buffer: by layer id where both sides tell, by position otherwise. */
record BufferPairs(int[] sources, int[] destinations) {

    static BufferPairs of(KvSide source, KvSide destination) {
        if (!source.layerIds().isEmpty() && !destination.layerIds().isEmpty()) {
            return byLayer(source, destination);
        }
        PipelineSlice slice = source.mla()
                ? PipelineSlice.mla(source.buffers(), source.startLayer(), destination.buffers())
                : PipelineSlice.mha(source.buffers(), source.startLayer(), destination.buffers());
        return new BufferPairs(slice.sources(), slice.destinations());
    }

    int size() {
        return sources.length;
    }

    int source(int pair) {
        return sources[pair];
    }

    int destination(int pair) {
        return destinations[pair];
    }

    /** K comes before V on both sides, so the n-th buffer of a layer here is the n-th of that layer there. */
    private static BufferPairs byLayer(KvSide source, KvSide destination) {
        Map<Integer, List<Integer>> theirs = new HashMap<>();
        for (int i = 0; i < destination.buffers(); i++) {
            theirs.computeIfAbsent(destination.layerIds().get(i), any -> new ArrayList<>())
                    .add(i);
        }
        Map<Integer, Integer> seen = new HashMap<>();
        int[] sources = new int[source.buffers()];
        int[] destinations = new int[source.buffers()];
        for (int i = 0; i < source.buffers(); i++) {
            int layer = source.layerIds().get(i);
            int nth = seen.merge(layer, 1, Integer::sum) - 1;
            List<Integer> there = theirs.getOrDefault(layer, List.of());
            if (nth >= there.size()) {
                throw Refusal.incompatible(
                        "KV buffers do not match the prefill pp configuration: prefill holds layer %d, decode holds layers %s",
                        layer, destination.layerIds().stream().distinct().toList());
            }
            sources[i] = i;
            destinations[i] = there.get(nth);
        }
        return new BufferPairs(sources, destinations);
    }
}
