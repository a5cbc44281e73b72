package io.weft.discovery;

import io.weft.api.MemoryKind;
import io.weft.api.Verdict;
import io.weft.spi.Availability;
import io.weft.spi.DeviceMemoryProvider;
import java.util.Objects;
import java.util.Optional;

/**
 * One provider of device memory that was found, usable or not.
 *
 * <p>Immutable; safe from any thread.
 *
 * @param name the kind's id, or the provider's class name if it never told its kind
 * @param kind the kind, if known
 * @param className the provider's class
 * @param source where it came from
 * @param provider the provider, if it may be called
 * @param refused why it may not be used, before any probe
 * @param evidence what {@code refused} rests on, empty otherwise
 * @param availability what its probe said, if it was probed
 */
public record DeviceMemoryEntry(
        String name,
        Optional<MemoryKind> kind,
        String className,
        Source source,
        Optional<DeviceMemoryProvider> provider,
        Optional<Verdict> refused,
        String evidence,
        Optional<Availability> availability) {
    /** Checks for null. */
    public DeviceMemoryEntry {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(className, "className");
        Objects.requireNonNull(source, "source");
        Objects.requireNonNull(provider, "provider");
        Objects.requireNonNull(refused, "refused");
        Objects.requireNonNull(evidence, "evidence");
        Objects.requireNonNull(availability, "availability");
    }

    static DeviceMemoryEntry neverLoaded(Found<?> found, Verdict verdict, String evidence) {
        return new DeviceMemoryEntry(
                found.className(),
                Optional.empty(),
                found.className(),
                found.source(),
                Optional.empty(),
                Optional.of(verdict),
                evidence,
                Optional.empty());
    }

    DeviceMemoryEntry refuse(Verdict verdict, String why) {
        return new DeviceMemoryEntry(
                name, kind, className, source, Optional.empty(), Optional.of(verdict), why, Optional.empty());
    }

    DeviceMemoryEntry probed(Availability answer) {
        return new DeviceMemoryEntry(name, kind, className, source, provider, refused, evidence, Optional.of(answer));
    }

    /**
     * Whether it was probed and said yes.
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
}
