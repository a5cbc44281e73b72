package io.weft.replay.run;

import io.weft.replay.pages.Block;
import io.weft.replay.rank.RankProcess;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Has a decode rank recompute what it received. A page counts once, all its layers, K and V and state together; wrong aux
 * or state counts as a wrong last page.
 */
final class PageCheck {
    private static final int LAST_PAGE = -1;

    private final RankProcess rank;
    private final Duration timeout;
    private final Set<Integer> wrong = new HashSet<>();

    PageCheck(RankProcess rank, Duration timeout) {
        this.rank = rank;
        this.timeout = timeout;
    }

    void pages(List<Block> blocks) {
        for (Commands.SeedGroup group : Commands.bySeed(blocks)) {
            if (!ask(Commands.verify("kv", group.seed(), group.pages(), group.sourcePages()))) {
                onePageAtATime(group);
            }
        }
    }

    /** The group's answer does not say which pages are wrong, so each is asked for. */
    private void onePageAtATime(Commands.SeedGroup group) {
        for (int i = 0; i < group.pages().size(); i++) {
            List<Integer> page = List.of(group.pages().get(i));
            if (!ask(Commands.verify(
                    "kv", group.seed(), page, List.of(group.sourcePages().get(i))))) {
                wrong.add(page.getFirst());
            }
        }
    }

    void auxAndState(long seed, long room, Resources.Held source, Resources.Held here) {
        ObjectNode aux = Commands.verify("aux", seed, List.of(here.auxSlot()[0]), List.of(source.auxSlot()[0]));
        boolean right = ask(aux.put("room", room));
        for (int c = 0; c < here.stateSlots().size(); c++) {
            right &= ask(Commands.verify(
                            "state",
                            seed,
                            boxed(here.stateSlots().get(c)),
                            boxed(source.stateSlots().get(c)))
                    .put("component", c));
        }
        if (!right) {
            wrong.add(LAST_PAGE);
        }
    }

    private static List<Integer> boxed(int[] values) {
        return java.util.Arrays.stream(values).boxed().toList();
    }

    private boolean ask(ObjectNode op) {
        JsonNode answer = rank.ask(op, timeout);
        return answer.path("ok").asBoolean(false);
    }

    /** Pages found wrong; wrong aux or state joins a wrong page, since they count together. */
    int wrong() {
        return wrong.size() > 1 && wrong.contains(LAST_PAGE) ? wrong.size() - 1 : wrong.size();
    }
}
