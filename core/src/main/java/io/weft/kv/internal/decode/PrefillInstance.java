package io.weft.kv.internal.decode;

import io.weft.kv.plan.RankMapping;
import io.weft.kv.wire.NetworkAddress;
import java.util.List;

/**
 * The ranks of one prefill instance and DP rank that a decode rank talks to, in the order in which it does.
 *
 * @param registry the registry that told of them
 * @param dpRank the DP rank
 * @param mapping who sends and how many answers complete a room
 * @param ranks the ranks, dummies included
 */
record PrefillInstance(String registry, int dpRank, RankMapping mapping, List<PrefillRank> ranks) {
    boolean has(NetworkAddress address) {
        return ranks.stream().anyMatch(rank -> rank.address().equals(address));
    }

    int requiredPeers() {
        return mapping.requiredPeers();
    }
}
