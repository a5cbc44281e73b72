package io.weft.cli.rank;

import io.weft.kv.KvPoll;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import tools.jackson.databind.node.ObjectNode;

/** Commands about rooms, different for the two roles. Called by one thread. */
interface RoomOps extends AutoCloseable {
    /**
     * Carries out one command.
     *
     * @throws io.weft.api.WeftException INVALID_ARGUMENT for a command that the role does not know
     */
    void carryOut(Line line);

    /**
     * Adds what is open and what the last transfers came to.
     *
     * @param stats an answer under construction
     */
    void describe(ObjectNode stats);

    /**
     * Counts statuses.
     *
     * @param statuses of open rooms
     * @return counts by the status's name
     */
    static Map<String, Integer> byState(Stream<KvPoll> statuses) {
        Map<String, Integer> counts = new TreeMap<>();
        statuses.forEach(status -> counts.merge(status.wireName(), 1, Integer::sum));
        return counts;
    }

    @Override
    void close();
}
