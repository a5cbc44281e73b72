package io.weft.kv.internal.decode;

import io.weft.kv.RankDirectory.RankAddress;
import io.weft.kv.wire.NetworkAddress;

/**
 * A prefill rank that a decode rank talks to.
 *
 * @param uniqueRank its number in status messages
 * @param dummy whether it has nothing to send here (rule KV-5)
 * @param found where the registry says it is
 */
record PrefillRank(int uniqueRank, boolean dummy, RankAddress found) {
    NetworkAddress address() {
        return found.address();
    }

    /** It for people. */
    String inWords() {
        String key = found.engineKey();
        return "prefill rank " + uniqueRank + " at " + address() + (key.isEmpty() ? "" : ", engine " + key);
    }

    /** Whether it is known to understand what only Weft ranks say. */
    boolean isWeft() {
        return found.epoch() != 0;
    }
}
