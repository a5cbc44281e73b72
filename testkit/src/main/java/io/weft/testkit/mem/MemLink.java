package io.weft.testkit.mem;

import io.weft.api.Access;
import io.weft.api.ErrorCode;
import io.weft.spi.Link;
import io.weft.spi.LinkEvents;
import io.weft.spi.Operation;
import io.weft.spi.OperationKind;
import java.lang.foreign.MemorySegment;

/** The way to one peer: an operation is carried out, and completed, inside {@link #post}. */
record MemLink(MemBackend owner, MemBackend target, LinkEvents events, State state) implements Link {
    static final class State {
        volatile boolean down;
        volatile boolean posting;
    }

    @Override
    public int post(Operation operation) {
        state.posting = true;
        try {
            if (state.down) {
                return ErrorCode.PEER_LOST.number();
            }
            int code = 0;
            for (int run = 0; run < operation.runCount() && code == 0; run++) {
                code = copy(operation, run);
            }
            owner.context.completions().complete(operation.token(), code, 0);
            return ACCEPTED;
        } finally {
            state.posting = false;
        }
    }

    private static int copy(Operation operation, int run) {
        boolean write = operation.kind() == OperationKind.WRITE;
        Access right = write ? Access.REMOTE_WRITE : Access.REMOTE_READ;
        MemorySegment local = ((MemBackend.Region) operation.local(run)).bytes();
        MemBackend.Grant grant = ((MemBackend.Imported) operation.remote(run)).grant();
        MemorySegment remote = grant.region().bytes();
        long stamp = MemBackend.COPIES.readLock();
        try {
            for (int i = operation.from(run); i < operation.to(run); i++) {
                long localOffset = operation.localOffsets()[i];
                long remoteOffset = operation.remoteOffsets()[i];
                long length = operation.lengths()[i];
                if (!grant.allows(right, remoteOffset, length)) {
                    return ErrorCode.REMOTE_ACCESS.number();
                }
                if (write) {
                    MemorySegment.copy(local, localOffset, remote, remoteOffset, length);
                } else {
                    MemorySegment.copy(remote, remoteOffset, local, localOffset, length);
                }
            }
            return 0;
        } finally {
            MemBackend.COPIES.unlockRead(stamp);
        }
    }

    @Override
    public boolean fence(long deadlineNanos) {
        state.down = true;
        owner.links.remove(this);
        target.inbound.remove(this);
        while (state.posting && owner.context.clock().nanos() - deadlineNanos < 0) {
            Thread.yield();
        }
        return !state.posting;
    }

    @Override
    public void close() {
        fence(owner.context.clock().nanos() + owner.capabilities().quiesceTime().toNanos());
    }

    /** The target closed or cut the initiator off. */
    void cut(String why) {
        target.inbound.remove(this);
        if (!state.down) {
            state.down = true;
            events.onDown(ErrorCode.PEER_LOST, 0, why);
        }
    }
}
