package io.weft.spi;

import java.util.List;

/**
 * Facts about a link.
 *
 * <p>Immutable; safe from any thread.
 *
 * @param lanes connections or queue pairs that carry data
 * @param devices devices in use
 * @param bytesPerLane bytes since the link came up, per lane, or empty
 * @param inFlight accepted and not completed operations
 * @param note anything a person debugging would want to read
 * @since 0.1
 */
public record LinkSnapshot(int lanes, List<String> devices, List<Long> bytesPerLane, int inFlight, String note) {
    /** Nothing known. */
    public static final LinkSnapshot EMPTY = new LinkSnapshot(1, List.of(), List.of(), 0, "");

    /** Copies the lists. */
    public LinkSnapshot {
        devices = List.copyOf(devices);
        bytesPerLane = List.copyOf(bytesPerLane);
    }
}
