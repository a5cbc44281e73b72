package io.weft.replay.run;

import io.weft.replay.rank.Fleet;
import io.weft.replay.rank.RankException;
import io.weft.replay.rank.RankProcess;
import io.weft.replay.rank.Side;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a rank says of itself at the end.
 *
 * @param name as in {@code prefill/0}
 * @param pid its process
 * @param stats its {@code stats} answer, or an object with {@code error}
 */
public record RankReport(String name, long pid, JsonNode stats) {
    private static final Duration BOUND = Duration.ofSeconds(10);

    static List<RankReport> collect(Fleet fleet, int prefillTp) {
        List<RankReport> reports = new ArrayList<>();
        List<RankProcess> prefill = fleet.ranks(Side.PREFILL);
        List<RankProcess> decode = fleet.ranks(Side.DECODE);
        for (int i = 0; i < prefill.size(); i++) {
            // Heads are shared out in order, so this decode rank is one that the prefill rank writes to.
            String peer = decode.get(i % prefillTp * decode.size() / prefillTp).engineKey();
            reports.add(of(prefill.get(i), RankProcess.op("stats").put("peer", peer)));
        }
        decode.forEach(rank -> reports.add(of(rank, RankProcess.op("stats"))));
        return reports;
    }

    private static RankReport of(RankProcess rank, ObjectNode stats) {
        JsonNode answer;
        try {
            answer = rank.ask(stats, BOUND);
        } catch (RankException e) {
            answer = JsonMapper.shared().createObjectNode().put("error", e.getMessage());
        }
        return new RankReport(rank.name(), rank.pid(), answer);
    }
}
