package io.weft.replay.run;

import io.weft.replay.rank.RankException;
import io.weft.replay.rank.RankProcess;
import java.time.Duration;
import java.util.List;

/** Whether the pages of a failed room may be handed out again (rule KV-4). */
final class Drain {
    private static final Duration BOUND = Duration.ofSeconds(20);

    private Drain() {}

    /**
     * Asks each decode rank that still runs.
     *
     * @param ranks decode ranks as they were when the room began
     * @param room the room
     * @return true if nothing can write to the room's pages any more; a rank that is gone took its memory with it
     */
    static boolean isDrained(List<RankProcess> ranks, long room) {
        boolean drained = true;
        for (RankProcess rank : ranks) {
            if (rank.isAlive()) {
                drained &= ask(rank, room);
            }
        }
        return drained;
    }

    private static boolean ask(RankProcess rank, long room) {
        try {
            return rank.ask(RankProcess.op("drain").put("room", room), BOUND)
                    .path("drained")
                    .asBoolean(false);
        } catch (RankException _) {
            return !rank.isAlive();
        }
    }
}
