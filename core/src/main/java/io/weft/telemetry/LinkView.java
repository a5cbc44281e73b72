package io.weft.telemetry;

import java.util.List;

/**
 * A way to a peer, at the moment somebody looked. Immutable.
 *
 * @param backend over which backend
 * @param state DOWN, CONNECTING, UP, FENCING_HERE or FENCING_THERE
 * @param lanes connections or queue pairs that carry data
 * @param devices devices in use
 * @param inFlight operations posted and not complete
 * @param inFlightBytes their bytes
 * @param blocked whether the link said that it takes no more now
 * @param cause why it broke last, empty if it did not
 * @param quarantine why the backend is left alone for this peer, empty if it is not
 * @since 0.1
 */
public record LinkView(
        String backend,
        String state,
        int lanes,
        List<String> devices,
        int inFlight,
        long inFlightBytes,
        boolean blocked,
        String cause,
        String quarantine) {
    /** Copies the list. */
    public LinkView {
        devices = List.copyOf(devices);
    }
}
