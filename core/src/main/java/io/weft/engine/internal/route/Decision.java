package io.weft.engine.internal.route;

import io.weft.api.Candidate;
import io.weft.engine.internal.backend.OpenBackend;
import java.util.List;
import java.util.Optional;

/**
 * A route or none.
 *
 * @param backend what carries the transfer, empty if nothing can
 * @param staged whether device memory goes through host memory (rule DEV-3)
 * @param warning what is not as it should be about the route, empty if nothing
 * @param candidates every backend with its verdict, in the order of selection
 */
public record Decision(Optional<OpenBackend> backend, boolean staged, String warning, List<Candidate> candidates) {
    /** Copies the list. */
    public Decision {
        candidates = List.copyOf(candidates);
    }

    /**
     * Why there is no route.
     *
     * @return one line over all candidates
     */
    public String refusals() {
        if (candidates.isEmpty()) {
            return "no backend is open";
        }
        StringBuilder text = new StringBuilder();
        for (Candidate c : candidates) {
            text.append(text.isEmpty() ? "" : "; ")
                    .append(c.name())
                    .append(' ')
                    .append(c.verdict())
                    .append(" (")
                    .append(c.evidence())
                    .append(')');
        }
        return text.toString();
    }
}
