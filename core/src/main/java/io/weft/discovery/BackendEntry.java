package io.weft.discovery;

import io.weft.api.Candidate;
import io.weft.api.Verdict;
import io.weft.config.OptionGroup;
import io.weft.spi.Availability;
import io.weft.spi.BackendProvider;
import io.weft.spi.Device;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * One backend that was found, usable or not.
 *
 * <p>Immutable; safe from any thread.
 *
 * @param name the backend's name, or the provider's class name if it never told its name
 * @param className the provider's class, empty if there is none
 * @param version the provider's version, empty when unknown
 * @param spiLevel the SPI level it was built for, empty when unknown
 * @param source where it came from
 * @param priority its rank; 0 when unknown
 * @param options its options; absent when it could not be asked
 * @param provider the provider, if it may be called
 * @param refused why it may not be used, before any probe: load failed, incompatible, duplicate name, disabled,
 *     absent
 * @param evidence what {@code refused} rests on, empty otherwise
 * @param availability what its probe said, if it was probed; a probe that threw or hung is an unusable one
 */
public record BackendEntry(
        String name,
        String className,
        String version,
        String spiLevel,
        Source source,
        int priority,
        Optional<OptionGroup> options,
        Optional<BackendProvider> provider,
        Optional<Verdict> refused,
        String evidence,
        Optional<Availability> availability) {
    /** Checks for null. */
    public BackendEntry {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(className, "className");
        Objects.requireNonNull(version, "version");
        Objects.requireNonNull(spiLevel, "spiLevel");
        Objects.requireNonNull(source, "source");
        Objects.requireNonNull(options, "options");
        Objects.requireNonNull(provider, "provider");
        Objects.requireNonNull(refused, "refused");
        Objects.requireNonNull(evidence, "evidence");
        Objects.requireNonNull(availability, "availability");
    }

    static BackendEntry neverLoaded(Found<?> found, Verdict verdict, String evidence) {
        return new BackendEntry(
                found.className(),
                found.className(),
                "",
                "",
                found.source(),
                0,
                Optional.empty(),
                Optional.empty(),
                Optional.of(verdict),
                evidence,
                Optional.empty());
    }

    static BackendEntry absent(String name, String evidence) {
        return new BackendEntry(
                name,
                "",
                "",
                "",
                Source.NOWHERE,
                0,
                Optional.empty(),
                Optional.empty(),
                Optional.of(Verdict.ABSENT),
                evidence,
                Optional.empty());
    }

    BackendEntry refuse(Verdict verdict, String why) {
        return new BackendEntry(
                name,
                className,
                version,
                spiLevel,
                source,
                priority,
                options,
                Optional.empty(),
                Optional.of(verdict),
                why,
                Optional.empty());
    }

    BackendEntry withoutOptions() {
        return new BackendEntry(
                name,
                className,
                version,
                spiLevel,
                source,
                priority,
                Optional.empty(),
                provider,
                refused,
                evidence,
                availability);
    }

    BackendEntry probed(Availability answer) {
        return new BackendEntry(
                name,
                className,
                version,
                spiLevel,
                source,
                priority,
                options,
                provider,
                refused,
                evidence,
                Optional.of(answer));
    }

    /**
     * Whether the backend was probed and said yes.
     *
     * @return true if it may be opened
     */
    public boolean isUsable() {
        return availability.map(Availability::isUsable).orElse(false);
    }

    /**
     * Why it cannot be used and what would help.
     *
     * @return one line; empty if it is usable
     */
    public String reason() {
        return refused.isPresent()
                ? evidence
                : availability.map(Probing::reason).orElse("not probed");
    }

    /**
     * What its probe saw.
     *
     * @return the devices, empty if it was not probed
     */
    public List<Device> devices() {
        return availability.map(Availability::devices).orElse(List.of());
    }

    /**
     * The verdict so far.
     *
     * @return why the backend is out, empty if it is usable
     */
    public Optional<Verdict> verdict() {
        if (refused.isPresent() || isUsable()) {
            return refused;
        }
        return Optional.of(Verdict.PROBE_FAILED);
    }

    /**
     * This backend in a selection report.
     *
     * @param verdict the decision
     * @param why what the decision rests on
     * @return the candidate
     */
    public Candidate candidate(Verdict verdict, String why) {
        return new Candidate(name, version, spiLevel, source.toString(), verdict, why);
    }
}
