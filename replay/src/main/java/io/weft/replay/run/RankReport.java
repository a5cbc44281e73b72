package io.weft.replay.run;

import io.weft.replay.rank.Fleet;
import io.weft.replay.rank.RankProcess;
import io.weft.replay.rank.Side;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import tools.jackson.databind.JsonNode;

/**
 * What a rank says of itself at the end.
 *
 * @param name as in {@code prefill/0}
 * @param pid its process
 * @param stats its {@code stats} answer, or an object with {@code error}
 * @param left what should not be there when nothing is open, and what grew since the first rest; empty if all is well
 * @param first sizes at the first rest, by name; empty if the process is younger
 * @param last the same sizes at the end
 */
public record RankReport(
        String name, long pid, JsonNode stats, List<String> left, Map<String, Long> first, Map<String, Long> last) {

    /** Looks at all ranks, by process. Blocks until they are at rest, at most a minute each. */
    static Map<Long, AtRest> look(Fleet fleet, int prefillTp) {
        Map<Long, AtRest> found = new HashMap<>();
        List<RankProcess> prefill = fleet.ranks(Side.PREFILL);
        List<RankProcess> decode = fleet.ranks(Side.DECODE);
        for (int i = 0; i < prefill.size(); i++) {
            // Heads are shared out in order, so this decode rank is one that the prefill rank writes to.
            String peer = decode.get(i % prefillTp * decode.size() / prefillTp).engineKey();
            RankProcess rank = prefill.get(i);
            found.put(rank.pid(), AtRest.await(rank, RankProcess.op("stats").put("peer", peer)));
        }
        decode.forEach(rank -> found.put(rank.pid(), AtRest.await(rank, RankProcess.op("stats"))));
        return found;
    }

    static List<RankReport> collect(Fleet fleet, int prefillTp, Map<Long, AtRest> firstRest, int kills) {
        Map<Long, AtRest> end = look(fleet, prefillTp);
        List<RankReport> reports = new ArrayList<>();
        List<RankProcess> ranks = new ArrayList<>(fleet.ranks(Side.PREFILL));
        ranks.addAll(fleet.ranks(Side.DECODE));
        for (RankProcess rank : ranks) {
            AtRest last = Objects.requireNonNull(end.get(rank.pid()), "every rank was looked at");
            AtRest first = firstRest.get(rank.pid());
            List<String> left = new ArrayList<>(last.left());
            if (first != null) {
                left.addAll(last.grownSince(first, kills));
            }
            reports.add(new RankReport(
                    rank.name(),
                    rank.pid(),
                    last.stats(),
                    List.copyOf(left),
                    first == null ? Map.of() : first.sizes(),
                    last.sizes()));
        }
        return reports;
    }
}
