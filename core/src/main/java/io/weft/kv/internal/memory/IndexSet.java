package io.weft.kv.internal.memory;

import io.weft.api.ErrorCode;
import io.weft.api.WeftException;
import java.util.BitSet;

/** Which items of a kind are leased. Guarded by its ledger. */
final class IndexSet {
    private final String what;
    private final int items;
    private final BitSet leased = new BitSet();

    IndexSet(String what, int items) {
        this.what = what;
        this.items = items;
    }

    /**
     * Leases items, all or none.
     *
     * @throws WeftException as {@link PageLedger#lease} says
     */
    void add(int[] indices) {
        int done = 0;
        try {
            for (int index : indices) {
                check(index, indices, done);
                leased.set(index);
                done++;
            }
        } catch (WeftException refused) {
            for (int i = 0; i < done; i++) {
                leased.clear(indices[i]);
            }
            throw refused;
        }
    }

    void remove(int[] indices) {
        for (int index : indices) {
            leased.clear(index);
        }
    }

    int size() {
        return leased.cardinality();
    }

    private void check(int index, int[] indices, int before) {
        if (index < 0 || index >= items) {
            throw new WeftException(
                    ErrorCode.INVALID_ARGUMENT, what + " " + index + " does not exist, there are " + items);
        }
        if (!leased.get(index)) {
            return;
        }
        for (int i = 0; i < before; i++) {
            if (indices[i] == index) {
                throw new WeftException(ErrorCode.INVALID_ARGUMENT, what + " " + index + " is named twice");
            }
        }
        throw new WeftException(
                ErrorCode.RESOURCE_EXHAUSTED,
                what + " " + index
                        + " is still leased to another room, whose writers may not be done with it; wait for "
                        + "its lease to be released");
    }
}
