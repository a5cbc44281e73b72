package io.weft.spi;

import java.util.List;
import java.util.Objects;

/**
 * The answer of a probe.
 *
 * <p>Immutable; safe from any thread.
 *
 * @since 0.1
 */
public final class Availability {
    private final boolean usable;
    private final String reason;
    private final String remedy;
    private final List<Device> devices;
    private final List<String> evidence;

    private Availability(boolean usable, String reason, String remedy, List<Device> devices, List<String> evidence) {
        this.usable = usable;
        this.reason = Objects.requireNonNull(reason, "reason");
        this.remedy = Objects.requireNonNull(remedy, "remedy");
        this.devices = List.copyOf(devices);
        this.evidence = List.copyOf(evidence);
    }

    /**
     * The backend can work here.
     *
     * @param devices what it found, may be empty for backends without devices
     * @return the answer
     */
    public static Availability usable(List<Device> devices) {
        return new Availability(true, "", "", devices, List.of());
    }

    /**
     * The backend cannot work here.
     *
     * @param reason what is missing, by name: library, device, permission, file, errno
     * @param remedy what to install, load, plug or allow
     * @return the answer
     */
    public static Availability unusable(String reason, String remedy) {
        return new Availability(false, reason, remedy, List.of(), List.of());
    }

    /**
     * Adds what was tried, in order: each path with its error, each device with its state.
     *
     * @param lines one fact a line
     * @return a copy
     */
    public Availability withEvidence(List<String> lines) {
        return new Availability(usable, reason, remedy, devices, lines);
    }

    /**
     * Adds devices that were seen though the backend is unusable.
     *
     * @param seen the devices
     * @return a copy
     */
    public Availability withDevices(List<Device> seen) {
        return new Availability(usable, reason, remedy, seen, evidence);
    }

    /**
     * Whether open may be called.
     *
     * @return true if usable
     */
    public boolean isUsable() {
        return usable;
    }

    /**
     * Why not.
     *
     * @return the reason, empty if usable
     */
    public String reason() {
        return reason;
    }

    /**
     * What would make it usable.
     *
     * @return the remedy, empty if usable
     */
    public String remedy() {
        return remedy;
    }

    /**
     * The devices.
     *
     * @return what was found
     */
    public List<Device> devices() {
        return devices;
    }

    /**
     * What was tried.
     *
     * @return facts in order
     */
    public List<String> evidence() {
        return evidence;
    }
}
