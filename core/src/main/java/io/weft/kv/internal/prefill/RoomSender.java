package io.weft.kv.internal.prefill;

import io.weft.kv.KvChunk;
import io.weft.kv.KvPoll;
import io.weft.kv.KvSender;
import io.weft.kv.KvTransferException;
import io.weft.kv.MemoryLease;
import io.weft.kv.internal.room.Reasons;
import io.weft.kv.internal.room.RoomFailure;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** A sender: the application's handle on a room. Holds no state of its own. */
final class RoomSender implements KvSender {
    private final PrefillRoom room;
    private final PrefillRooms rooms;
    private final RoomRunner runner;
    private final LongSupplier nanoClock;

    RoomSender(PrefillRoom room, PrefillRooms rooms, RoomRunner runner, LongSupplier nanoClock) {
        this.room = room;
        this.rooms = rooms;
        this.runner = runner;
        this.nanoClock = nanoClock;
    }

    @Override
    public long room() {
        return room.id();
    }

    @Override
    public void init(int pages, int auxRow) {
        runner.run(room, room.init(pages, auxRow));
    }

    @Override
    public void send(KvChunk chunk) {
        runner.run(room, room.send(chunk, nanoClock.getAsLong()));
    }

    @Override
    public void send(int[] pages) {
        send(KvChunk.of(pages, room.wouldComplete(pages.length)));
    }

    @Override
    public KvPoll poll() {
        if (!room.status().isTerminal()) {
            runner.run(room, room.checkDeadline(nanoClock.getAsLong()));
        }
        return room.status();
    }

    @Override
    public int prefixTokens() {
        return room.prefixTokens();
    }

    @Override
    public void abort() {
        runner.run(room, room.fail(Reasons.aborted("")));
    }

    @Override
    public @Nullable KvTransferException failure() {
        RoomFailure failure = room.failure();
        return failure == null ? null : failure.exception(room.id());
    }

    @Override
    public long bytes() {
        return room.bytes();
    }

    @Override
    public MemoryLease lease() {
        return room.lease();
    }

    @Override
    public void clear() {
        abort();
        rooms.clear(room);
    }
}
