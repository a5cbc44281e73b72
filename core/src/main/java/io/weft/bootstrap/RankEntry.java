package io.weft.bootstrap;

import java.util.List;

/**
 * One registered prefill rank. Immutable; safe from any thread.
 *
 * @param key which rank
 * @param topology its instance as it described it
 * @param ip control address
 * @param port control port
 * @param epoch its incarnation, 0 for an older rank
 * @param engineKey its engine key, empty for an older rank
 * @param capabilities what it can do beyond the original's protocol
 * @param operations where it serves operations, {@code host:port}, empty for one that did not tell
 * @param leaseNanos how long it may stay silent, 0 for a rank that announced no heartbeat
 * @param heardNanos when it was heard last, by the registry's clock
 * @since 0.1
 */
public record RankEntry(
        Key key,
        Topology topology,
        String ip,
        int port,
        long epoch,
        String engineKey,
        List<String> capabilities,
        String operations,
        long leaseNanos,
        long heardNanos) {
    /**
     * Coordinates of a rank.
     *
     * @param dp DP rank
     * @param cp CP rank
     * @param tp TP rank
     * @param pp PP rank
     * @since 0.1
     */
    public record Key(int dp, int cp, int tp, int pp) {
        boolean isIn(Topology t) {
            return dp < t.dpSize() && cp < t.cpSize() && tp < t.tpSize() && pp < t.ppSize();
        }
    }

    /** Copies the list. */
    public RankEntry {
        capabilities = List.copyOf(capabilities);
    }

    boolean isExpired(long now) {
        return leaseNanos > 0 && now - heardNanos > leaseNanos;
    }
}
