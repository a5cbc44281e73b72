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

/**
 * What a rank says of itself at the end.
 *
 * @param name as in {@code prefill/0}
 * @param pid its process
 * @param stats its {@code stats} answer, or an object with {@code error}
 */
public record RankReport(String name, long pid, JsonNode stats) {
    private static final Duration BOUND = Duration.ofSeconds(10);

    static List<RankReport> collect(Fleet fleet) {
        List<RankReport> reports = new ArrayList<>();
        for (Side side : Side.values()) {
            for (RankProcess rank : fleet.ranks(side)) {
                reports.add(new RankReport(rank.name(), rank.pid(), stats(rank)));
            }
        }
        return reports;
    }

    private static JsonNode stats(RankProcess rank) {
        try {
            return rank.ask(RankProcess.op("stats"), BOUND);
        } catch (RankException e) {
            return JsonMapper.shared().createObjectNode().put("error", e.getMessage());
        }
    }
}
