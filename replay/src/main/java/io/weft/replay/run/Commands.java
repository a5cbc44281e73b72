package io.weft.replay.run;

import io.weft.replay.pages.Block;
import io.weft.replay.rank.RankProcess;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Builds the lines that a request sends to ranks. Pure. */
final class Commands {
    private Commands() {}

    /** Pages of one seed, with where they were computed. */
    record SeedGroup(long seed, List<Integer> pages, List<Integer> sourcePages) {}

    static ObjectNode fill(long seed, int[] pages, Resources.Held held) {
        ObjectNode op = RankProcess.op("fill").put("seed", seed).put("auxIndex", held.auxSlot()[0]);
        put(op.putArray("pages"), pages);
        putStates(op, held);
        return op;
    }

    static ObjectNode poison(int[] pages, Resources.Held held) {
        ObjectNode op = RankProcess.op("poison").put("auxIndex", held.auxSlot()[0]);
        put(op.putArray("pages"), pages);
        putStates(op, held);
        return op;
    }

    static ObjectNode taint(String how, List<Integer> pages) {
        ObjectNode op = RankProcess.op("taint").put("how", how);
        pages.forEach(op.putArray("pages")::add);
        return op;
    }

    static ObjectNode receive(long room, int[] pages, int prefixTokens, Resources.Held held) {
        ObjectNode op = RankProcess.op("recv")
                .put("room", room)
                .put("auxIndex", held.auxSlot()[0])
                .put("prefixLen", prefixTokens)
                .put("prefillDpRank", 0);
        put(op.putArray("pages"), pages);
        putStates(op, held);
        return op;
    }

    static ObjectNode send(long room, int[] pages, int from, int to, TreeSet<Integer> dropped, Resources.Held held) {
        ObjectNode op = RankProcess.op("send")
                .put("room", room)
                .put("last", to == pages.length)
                .put("totalPages", pages.length)
                .put("auxIndex", held.auxSlot()[0]);
        ArrayNode chunk = op.putArray("pages");
        for (int i = from; i < to; i++) {
            chunk.add(pages[i]);
        }
        putStates(op, held);
        if (!dropped.isEmpty()) {
            dropped.forEach(op.putArray("dropPages")::add);
        }
        return op;
    }

    static ObjectNode verify(String buffer, long seed, List<Integer> pages, List<Integer> sourcePages) {
        ObjectNode op = RankProcess.op("verify").put("buffer", buffer).put("seed", seed);
        pages.forEach(op.putArray("pages")::add);
        sourcePages.forEach(op.putArray("sourcePages")::add);
        return op;
    }

    /** Pages of some blocks by seed, since one command checks pages of one seed. */
    static List<SeedGroup> bySeed(List<Block> blocks) {
        Map<Long, SeedGroup> groups = new LinkedHashMap<>();
        for (Block block : blocks) {
            for (int p = 0; p < block.pages().length; p++) {
                SeedGroup group = groups.computeIfAbsent(
                        block.seed(p), seed -> new SeedGroup(seed, new ArrayList<>(), new ArrayList<>()));
                group.pages().add(block.pages()[p]);
                group.sourcePages().add(block.sourcePage(p));
            }
        }
        return List.copyOf(groups.values());
    }

    private static void putStates(ObjectNode op, Resources.Held held) {
        if (!held.stateSlots().isEmpty()) {
            ArrayNode components = op.putArray("stateIndices");
            held.stateSlots().forEach(slots -> put(components.addArray(), slots));
        }
    }

    private static void put(ArrayNode array, int[] values) {
        for (int value : values) {
            array.add(value);
        }
    }
}
