package io.weft.backend.tcp;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/**
 * The sending half of a connection: packs headers and short pieces into a slab, and sends long pieces straight from registered
 * memory. Confined to one driver at a time.
 */
final class Outlet {
    /** What {@link #pump} came to. */
    enum Result {
        /** Nothing is left to send. */
        DRAINED,
        /** The socket takes no more now. */
        BLOCKED,
        /** The budget is used up; there may be more to send. */
        PAUSED
    }

    /** What a frame source can count on: the longest header with its table. */
    static final int ROOM = 40 << 10;

    private final SlabPool slabs;
    private final Cursor payload = new Cursor();
    private final Gather gather = new Gather();
    private SlabPool.@Nullable Slab slab;

    Outlet(SlabPool slabs) {
        this.slabs = slabs;
    }

    /** Sends until nothing is left, the socket is full, or the budget is used up. */
    Result pump(SocketChannel channel, FrameSource source, long budget) throws IOException {
        long left = budget;
        while (true) {
            // Also at the end of the budget: what ends with it must not cost another thread a wake-up to find nothing.
            if (gather.isEmpty() && !fill(source)) {
                release();
                return Result.DRAINED;
            }
            if (left <= 0) {
                return Result.PAUSED;
            }
            left -= gather.send(channel);
            if (!gather.isEmpty()) {
                return Result.BLOCKED;
            }
        }
    }

    /** Gives the slab back; what was staged is lost. */
    void release() {
        gather.clear();
        if (slab != null) {
            slabs.giveBack(slab);
            slab = null;
        }
    }

    private boolean fill(FrameSource source) throws IOException {
        SlabPool.Slab stage = staged();
        ByteBuffer buffer = stage.buffer.clear();
        int gathered = 0;
        while (!gather.isFull()) {
            if (payload.isDone()) {
                boolean mayGoOn = !gather.hasPieces() || source.runsAhead();
                if (!mayGoOn || buffer.remaining() < ROOM || !source.next(buffer, payload)) {
                    break;
                }
            } else if (!payload.isReadable()) {
                throw new IOException("the region was deregistered while a peer read from it");
            } else if (payload.isDirect()) {
                gather.addStaged(stage, gathered, buffer.position());
                gathered = buffer.position();
                payload.moveTo(gather);
            } else if (buffer.hasRemaining()) {
                int packed = payload.pack(stage.memory, buffer.position(), buffer.remaining());
                buffer.position(buffer.position() + packed);
            } else {
                break;
            }
        }
        gather.addStaged(stage, gathered, buffer.position());
        return !gather.isEmpty();
    }

    private SlabPool.Slab staged() {
        if (slab == null) {
            slab = slabs.borrow();
        }
        return slab;
    }
}
