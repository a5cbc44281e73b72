package io.weft.api;

import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Why a path was chosen, available always and not only after a failure (rule CFG-2).
 *
 * <p>Immutable; safe from any thread.
 *
 * @param question what was asked, such as {@code engine prefill-1 to decode-2, host->host}
 * @param candidates every backend that was considered, in the total order of selection
 * @since 0.1
 */
public record SelectionReport(String question, List<Candidate> candidates) {
    /** Copies the list. */
    public SelectionReport {
        Objects.requireNonNull(question, "question");
        candidates = List.copyOf(candidates);
    }

    /**
     * The winner.
     *
     * @return the chosen candidate, empty if there is no route
     */
    public Optional<Candidate> chosen() {
        return candidates.stream().filter(c -> c.verdict() == Verdict.CHOSEN).findFirst();
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(question);
        for (Candidate c : candidates) {
            text.append("\n  ")
                    .append(c.name())
                    .append(' ')
                    .append(c.version())
                    .append(" [")
                    .append(c.source())
                    .append("] ")
                    .append(c.verdict())
                    .append(": ")
                    .append(c.evidence());
        }
        return text.toString();
    }
}
