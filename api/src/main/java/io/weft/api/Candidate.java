package io.weft.api;

import java.util.Objects;

/**
 * One backend in a {@link SelectionReport}.
 *
 * <p>Immutable; safe from any thread.
 *
 * @param name the backend's name, or the provider's class name if it could not be loaded
 * @param version the provider's version, empty when unknown
 * @param spiLevel the SPI level it was built for, as {@code major.minor}, empty when unknown
 * @param source the jar or module it came from
 * @param verdict the decision
 * @param evidence what the decision rests on: key, file, errno, wanted and found values, what to do
 * @since 0.1
 */
public record Candidate(String name, String version, String spiLevel, String source, Verdict verdict, String evidence) {
    /** Checks for null. */
    public Candidate {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(version, "version");
        Objects.requireNonNull(spiLevel, "spiLevel");
        Objects.requireNonNull(source, "source");
        Objects.requireNonNull(verdict, "verdict");
        Objects.requireNonNull(evidence, "evidence");
    }
}
