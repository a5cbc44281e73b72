package io.weft.replay.run;

import io.weft.replay.rank.Fleet;
import io.weft.replay.rank.Side;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Kills what is due, replaces it, and remembers when. Confined to one thread. */
final class Killer {
    private final Fleet fleet;
    private final Consumer<Side> replaced;
    private final LongSupplier micros;
    private final List<Kill> pending;
    private final List<Kill> inTurn;
    private final long everyMicros;
    private final List<Outage> outages = new ArrayList<>();
    private long nextInTurn;

    /**
     * Kills nothing yet.
     *
     * @param options says what and when
     * @param fleet the processes
     * @param replaced hears of a side that has a new rank, before the next request is admitted
     * @param micros time since the replay began
     */
    Killer(ReplayOptions options, Fleet fleet, Consumer<Side> replaced, LongSupplier micros) {
        this.fleet = fleet;
        this.replaced = replaced;
        this.micros = micros;
        this.pending = new ArrayList<>(options.kills());
        this.inTurn = inTurn(options);
        @Nullable Soak soak = options.soak();
        this.everyMicros = soak == null ? 0 : soak.killEvery().toNanos() / 1_000;
        this.nextInTurn = everyMicros;
    }

    private static List<Kill> inTurn(ReplayOptions options) {
        List<Kill> kills = new ArrayList<>();
        if (options.soak() != null) {
            for (int rank = 1; rank < options.prefillTp() * options.prefillPp(); rank++) {
                kills.add(new Kill(Side.PREFILL, rank, Kill.IN_TURN));
            }
            for (int rank = 1; rank < options.decodeTp(); rank++) {
                kills.add(new Kill(Side.DECODE, rank, Kill.IN_TURN));
            }
            kills.add(new Kill(null, 0, Kill.IN_TURN));
        }
        return kills;
    }

    /** Whether kills that wait for a share of the requests are left. */
    boolean hasPending() {
        return !pending.isEmpty();
    }

    /**
     * Whether something is to be killed now.
     *
     * @param endedPercent share of the requests that has ended
     */
    boolean isDue(int endedPercent) {
        return isTurn() || pending.stream().anyMatch(kill -> endedPercent >= kill.atPercent());
    }

    private boolean isTurn() {
        return !inTurn.isEmpty() && micros.getAsLong() >= nextInTurn;
    }

    /** Blocks until what was killed is replaced. */
    void killWhatIsDue(int endedPercent) {
        for (Kill kill : List.copyOf(pending)) {
            if (endedPercent >= kill.atPercent()) {
                pending.remove(kill);
                carryOut(kill);
            }
        }
        if (isTurn()) {
            Kill kill = inTurn.removeFirst();
            inTurn.addLast(kill);
            carryOut(kill);
            // By the clock, however long it was away; only an outage longer than the time between kills costs one.
            nextInTurn += everyMicros * Math.max(1, Math.ceilDiv(micros.getAsLong() - nextInTurn, everyMicros));
        }
    }

    private void carryOut(Kill kill) {
        long from = micros.getAsLong();
        Side side = kill.side();
        if (side == null) {
            fleet.restartRegistry();
        } else {
            fleet.restart(side, kill.rank());
            replaced.accept(side);
        }
        outages.add(new Outage(kill, from, micros.getAsLong()));
    }

    List<Outage> outages() {
        return outages;
    }
}
