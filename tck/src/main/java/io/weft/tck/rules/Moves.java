package io.weft.tck.rules;

import io.weft.api.SegmentTable;

/** What segments do to plain arrays: the meaning that every backend has to have. */
final class Moves {
    private Moves() {}

    /** The remote side after a write of a table. */
    static byte[] written(byte[] local, byte[] remote, SegmentTable table) {
        byte[] after = remote.clone();
        for (int i = table.from(); i < table.to(); i++) {
            System.arraycopy(local, (int) table.localOffsets()[i], after, (int) table.remoteOffsets()[i], (int)
                    table.lengths()[i]);
        }
        return after;
    }

    /** The local side after a read of a table. */
    static byte[] read(byte[] local, byte[] remote, SegmentTable table) {
        byte[] after = local.clone();
        for (int i = table.from(); i < table.to(); i++) {
            System.arraycopy(remote, (int) table.remoteOffsets()[i], after, (int) table.localOffsets()[i], (int)
                    table.lengths()[i]);
        }
        return after;
    }
}
