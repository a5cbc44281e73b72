package io.weft.replay.report;

import io.weft.replay.run.RankReport;
import io.weft.replay.run.ReplayResult;
import java.util.Map;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The result as JSON, for programs. Field names are kept once published. */
public final class JsonReport {
    private JsonReport() {}

    /**
     * Renders a result.
     *
     * @param result what came out
     * @return the document
     */
    public static ObjectNode of(ReplayResult result) {
        ObjectNode json = JsonMapper.shared().createObjectNode();
        json.put("requests", result.requests().size());
        json.put("succeeded", result.succeeded());
        json.put("failed", result.failed());
        json.put("pagesSent", result.sent());
        json.put("pagesVerified", result.verified());
        json.put("pagesMismatched", result.mismatched());
        json.put("pagesCorrupted", result.pagesCorrupted());
        json.put("prefixHitPages", result.prefixPages());
        json.put("bytes", result.bytes());
        json.put("wallSeconds", result.seconds());
        json.put("throughputBytesPerSecond", result.bytes() / Math.max(result.seconds(), 1e-9));
        json.putObject("latencyMicros")
                .put("p50", result.latency().p50())
                .put("p90", result.latency().p90())
                .put("p99", result.latency().p99())
                .put("max", result.latency().max());
        json.put("backend", result.options().backend());
        json.put("memory", result.options().memory());
        json.put("model", result.options().model().name());
        json.put("scale", result.options().scale());
        json.put("trace", result.options().trace().source());
        ObjectNode reasons = json.putObject("reasons");
        for (Map.Entry<String, Long> reason : result.reasons().entrySet()) {
            reasons.put(reason.getKey(), reason.getValue());
        }
        ArrayNode killed = json.putArray("killed");
        result.outages().forEach(outage -> killed.add(outage.toString()));
        json.put("failedUnexplained", result.unexplained());
        json.put("succeededAfterKills", result.succeededAfterOutages());
        ArrayNode ranks = json.putArray("ranks");
        for (RankReport rank : result.ranks()) {
            ObjectNode told = ranks.addObject().put("name", rank.name()).put("pid", rank.pid());
            ArrayNode left = told.putArray("left");
            rank.left().forEach(left::add);
            rank.first().forEach(told.putObject("firstRest")::put);
            rank.last().forEach(told.putObject("lastRest")::put);
            told.set("stats", rank.stats());
        }
        return json;
    }
}
