package io.weft.backend.rdma;

import io.weft.backend.rdma.verbs.PortFacts;
import io.weft.backend.rdma.verbs.Verbs;
import io.weft.backend.rdma.verbs.VerbsException;
import java.lang.foreign.MemorySegment;

/** Chooses the GID that names this side: RoCE v2 with an IPv4 address first, then RoCE v2, then the first entry. */
final class GidChoice {
    private static final int MOST = 64;

    private GidChoice() {}

    static int choose(int wanted, Verbs verbs, Sysfs sysfs, MemorySegment context, String device, PortFacts port)
            throws VerbsException {
        if (wanted >= 0 || !port.ethernet()) {
            return Math.max(0, wanted);
        }
        int best = 0;
        int bestScore = -1;
        for (int index = 0; index < Math.min(port.gids(), MOST); index++) {
            int score = score(
                    verbs.queryGid(context, device, port.number(), index), sysfs.gidType(device, port.number(), index));
            if (score > bestScore) {
                best = index;
                bestScore = score;
            }
        }
        return best;
    }

    /** The higher the better; -1 for an empty entry. */
    static int score(byte[] gid, String type) {
        boolean empty = true;
        for (byte b : gid) {
            empty &= b == 0;
        }
        if (empty) {
            return -1;
        }
        return (type.contains("v2") ? 2 : 0) + (isIpv4(gid) ? 1 : 0);
    }

    private static boolean isIpv4(byte[] gid) {
        for (int i = 0; i < 10; i++) {
            if (gid[i] != 0) {
                return false;
            }
        }
        return gid[10] == -1 && gid[11] == -1;
    }
}
