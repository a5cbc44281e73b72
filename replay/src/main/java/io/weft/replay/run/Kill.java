package io.weft.replay.run;

import io.weft.replay.rank.Side;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A process to kill in mid-run.
 *
 * @param side side of the rank, null for the registry
 * @param rank number of the rank
 * @param atPercent when that share of the requests has ended, or {@link #IN_TURN}
 */
public record Kill(@Nullable Side side, int rank, int atPercent) {
    /** Not at a share of the requests, but when its turn comes. */
    static final int IN_TURN = -1;

    private static final Pattern FORM = Pattern.compile("(?:(prefill|decode):(\\d{1,4})|registry)@(\\d{1,2}|100)%");

    /**
     * Parses {@code prefill:1@50%}, {@code decode:0@30%} or {@code registry@50%}.
     *
     * @param text the form above
     * @return the kill
     * @throws IllegalArgumentException for anything else
     */
    public static Kill parse(String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "'" + text + "' is not of the form prefill:RANK@P%, decode:RANK@P% or registry@P%");
        }
        String role = matcher.group(1);
        Side side = role == null ? null : role.equals("prefill") ? Side.PREFILL : Side.DECODE;
        return new Kill(
                side, role == null ? 0 : Integer.parseInt(matcher.group(2)), Integer.parseInt(matcher.group(3)));
    }

    @Override
    public String toString() {
        String what = side == null ? "registry" : side.role() + ":" + rank;
        return atPercent == IN_TURN ? what : what + "@" + atPercent + "%";
    }
}
