package io.weft.kv.internal.decode;

import io.weft.api.ErrorCode;
import io.weft.api.WeftException;
import io.weft.kv.KvPoll;
import io.weft.kv.KvReceiver;
import io.weft.kv.KvTransferException;
import io.weft.kv.MemoryLease;
import io.weft.kv.internal.memory.Wanted;
import io.weft.kv.internal.room.Reasons;
import io.weft.kv.internal.room.RoomFailure;
import io.weft.kv.wire.Traceparent;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A receiver: the application's handle on a room. Holds no state of its own. */
final class RoomReceiver implements KvReceiver {
    private static final int[] NONE = {};

    private final DecodeRoom room;
    private final DecodeCore core;

    RoomReceiver(DecodeRoom room, DecodeCore core) {
        this.room = room;
        this.core = core;
    }

    @Override
    public long room() {
        return room.id();
    }

    @Override
    public void init(int prefillDpRank) {
        core.lookUp(room, prefillDpRank);
    }

    @Override
    public void traceparent(String value) {
        if (!Traceparent.isWellFormed(value)) {
            throw new WeftException(
                    ErrorCode.INVALID_ARGUMENT,
                    "trace room " + Long.toUnsignedString(room.id()) + ": '" + value
                            + "' is no traceparent as 00-TRACE-PARENT-01 with 32 and 16 lower-case hex digits");
        }
        room.trace(value);
    }

    @Override
    public void sendMetadata(int[] pages, int auxRow, @Nullable List<int @Nullable []> state, int prefixTokens) {
        if (prefixTokens < 0 || auxRow < -1) {
            throw new WeftException(
                    ErrorCode.INVALID_ARGUMENT, "aux row " + auxRow + ", prefix of " + prefixTokens + " tokens");
        }
        int[][] indices = state == null
                ? new int[0][]
                : state.stream().map(s -> s == null ? NONE : s.clone()).toArray(int[][]::new);
        core.want(room, new Wanted(pages.clone(), auxRow, indices), prefixTokens);
    }

    @Override
    public KvPoll poll() {
        if (!room.status().isTerminal()) {
            core.checkDeadline(room);
        }
        return room.status();
    }

    @Override
    public void abort() {
        core.fail(room, Reasons.aborted(""));
    }

    @Override
    public @Nullable KvTransferException failure() {
        RoomFailure failure = room.failure();
        return failure == null ? null : failure.exception(room.id());
    }

    @Override
    public MemoryLease lease() {
        return room.lease();
    }

    @Override
    public void clear() {
        abort();
        core.clear(room);
    }
}
