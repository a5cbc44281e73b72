package io.weft.replay.run;

import java.util.Locale;

/**
 * A process that was killed on purpose, and how long it was away. No request is admitted in that time.
 *
 * @param kill what was asked for
 * @param fromMicros when it was killed, in microseconds since the replay began
 * @param untilMicros when its successor was ready
 */
public record Outage(Kill kill, long fromMicros, long untilMicros) {
    /**
     * Whether a request may blame it: it was open when the process died.
     *
     * @param request a request that failed
     * @return false for one that was admitted once the successor was there, or never
     */
    boolean explains(RequestRecord request) {
        return request.admitted() > 0 && request.admitted() <= fromMicros && request.ended() >= fromMicros;
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT, "%s at %.1f s, again ready at %.1f s", kill, fromMicros / 1e6, untilMicros / 1e6);
    }
}
