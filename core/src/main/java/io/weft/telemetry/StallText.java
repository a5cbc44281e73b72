package io.weft.telemetry;

import java.util.concurrent.TimeUnit;

/**
 * The warning about transfers that make no progress, and the words for pictures that it shares with {@code weft inspect}.
 *
 * @since 0.1
 */
public final class StallText {
    private StallText() {}

    /**
     * The warning.
     *
     * @param engine whose transfers
     * @param transfers how many newly stall
     * @param patienceNanos after how long that is told
     * @param worst the one that moved least lately
     * @param peer the picture of their peer
     * @return text of several lines
     */
    public static String of(String engine, int transfers, long patienceNanos, TransferView worst, PeerView peer) {
        return "WEFT-STALL engine " + engine + ": " + transfers
                + (transfers == 1 ? " transfer" : " transfers") + " with peer " + peer.key()
                + (transfers == 1 ? " makes" : " make") + " no progress for " + duration(patienceNanos)
                + " (weft.stall.warning); transfer " + Long.toUnsignedString(worst.id()) + " waits for "
                + worst.waitsFor() + ", its deadline " + left(worst.leftNanos())
                + "; what to do: docs/operations.md, \"a transfer hangs\"\n"
                + peer(peer);
    }

    /**
     * The warning about a peer whose work does not go on because a thread does not come back from a backend.
     *
     * @param engine whose peer
     * @param patienceNanos after how long that is told
     * @param peer what is known of it
     * @return text of several lines
     */
    public static String stuck(String engine, long patienceNanos, PeerView peer) {
        return "WEFT-STUCK engine " + engine + ": a thread is busy with peer " + peer.key()
                + " and did not come back for "
                + duration(patienceNanos) + ", so that " + peer.live()
                + " transfers wait; take a thread dump (jcmd PID Thread.print) and look for the backend's calls; what to do:"
                + " docs/operations.md, \"a transfer hangs\"\n" + peer(peer);
    }

    /**
     * A peer, its links and its oldest transfers.
     *
     * @param peer the peer
     * @return lines, the last one ended too
     */
    public static String peer(PeerView peer) {
        StringBuilder text = new StringBuilder();
        text.append("peer ").append(peer.key());
        text.append(peer.address().isEmpty() ? "" : " at " + peer.address());
        text.append(peer.plain() ? " (plain MORI-IO)" : "").append(": ").append(peer.state());
        text.append(", ")
                .append(peer.live())
                .append(" transfers, ")
                .append(peer.heldSegments())
                .append(" segments\n");
        if (!peer.answered()) {
            text.append(
                    "  NOT ANSWERING: a thread is busy with this peer and does not come back; see the thread dump\n");
        }
        for (LinkView link : peer.links()) {
            text.append("  link over ").append(link.backend()).append(": ").append(link.state());
            text.append(", ")
                    .append(link.lanes())
                    .append(" lanes ")
                    .append(link.devices())
                    .append(", ");
            text.append(link.inFlight())
                    .append(" operations of ")
                    .append(link.inFlightBytes())
                    .append(" bytes posted");
            text.append(link.blocked() ? ", queue FULL" : "");
            text.append(link.cause().isEmpty() ? "" : ", broke last by " + link.cause());
            text.append(link.quarantine().isEmpty() ? "" : ", QUARANTINED: " + link.quarantine())
                    .append('\n');
        }
        for (TransferView each : peer.oldest()) {
            text.append("  transfer ")
                    .append(Long.toUnsignedString(each.id()))
                    .append(' ')
                    .append(each.direction());
            text.append(' ').append(each.bytes()).append(" bytes, age ").append(duration(each.ageNanos()));
            text.append(", idle ")
                    .append(duration(each.idleNanos()))
                    .append(", deadline ")
                    .append(left(each.leftNanos()));
            text.append(", waits for ").append(each.waitsFor());
            text.append(each.replays() == 0 ? "" : ", replayed " + each.replays() + " times")
                    .append('\n');
        }
        if (peer.answered() && peer.live() > peer.oldest().size()) {
            text.append("  and ").append(peer.live() - peer.oldest().size()).append(" younger transfers\n");
        }
        return text.toString();
    }

    private static String left(long nanos) {
        return nanos >= 0 ? "in " + duration(nanos) : duration(-nanos) + " ago";
    }

    /**
     * A time for people.
     *
     * @param nanos at least 0
     * @return such as {@code 1.5 s} or {@code 20 ms}
     */
    public static String duration(long nanos) {
        long millis = TimeUnit.NANOSECONDS.toMillis(nanos);
        return millis < 1_000 ? millis + " ms" : millis / 1_000 + "." + millis % 1_000 / 100 + " s";
    }
}
