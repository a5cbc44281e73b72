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
    private SlabPool.@Nullable Slab slab;
    private boolean sending;

    Outlet(SlabPool slabs) {
        this.slabs = slabs;
    }

    /** Sends until nothing is left, the socket is full, or the budget is used up. */
    Result pump(SocketChannel channel, FrameSource source, long budget) throws IOException {
        long left = budget;
        while (left > 0) {
            if (!sending && !payload.isDirect() && !fill(source)) {
                release();
                return Result.DRAINED;
            }
            if (sending) {
                ByteBuffer staged = staged().buffer;
                left -= payload.isDirect() ? payload.sendAfter(staged, channel) : channel.write(staged);
                if (staged.hasRemaining()) {
                    return Result.BLOCKED;
                }
                sending = false;
                staged.clear();
            }
            while (payload.isDirect() && left > 0) {
                int most = (int) Math.min(payload.piece(), Region.MAX_RANGE);
                int sent = payload.send(channel, most);
                left -= sent;
                if (sent < most) {
                    return Result.BLOCKED;
                }
            }
        }
        // What ends with the budget must not cost another thread a wake-up to find nothing.
        if (sending || payload.isDirect() || fill(source)) {
            return Result.PAUSED;
        }
        release();
        return Result.DRAINED;
    }

    /** Gives the slab back; what was staged is lost. */
    void release() {
        if (slab != null) {
            slabs.giveBack(slab);
            slab = null;
        }
        sending = false;
    }

    private boolean fill(FrameSource source) throws IOException {
        ByteBuffer buffer = staged().buffer;
        while (true) {
            if (!payload.isDone()) {
                if (!payload.isReadable()) {
                    throw new IOException("the region was deregistered while a peer read from it");
                }
                if (payload.isDirect() || !buffer.hasRemaining()) {
                    break;
                }
                int packed = payload.pack(staged().memory, buffer.position(), buffer.remaining());
                buffer.position(buffer.position() + packed);
            } else if (buffer.remaining() < ROOM || !source.next(buffer, payload)) {
                break;
            }
        }
        sending = buffer.position() > 0;
        buffer.flip();
        return sending;
    }

    private SlabPool.Slab staged() {
        if (slab == null) {
            slab = slabs.borrow();
        }
        return slab;
    }
}
