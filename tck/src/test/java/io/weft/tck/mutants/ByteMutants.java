package io.weft.tck.mutants;

import io.weft.api.ErrorCode;
import io.weft.spi.BackendContext;
import io.weft.spi.Link;
import io.weft.spi.Operation;
import io.weft.spi.OperationKind;
import io.weft.testkit.CopiedOperation;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Backends that move other bytes than they were asked to, or at another time. */
final class ByteMutants {
    private ByteMutants() {}

    static List<Mutant> all() {
        return List.of(
                Mutant.posts(
                        "WR-1",
                        "a write misses the last byte",
                        "the target's region: ",
                        edit(OperationKind.WRITE, c -> {
                            int last = c.lengths().length - 1;
                            c.lengths()[last] -= c.lengths()[last] > 1 ? 1 : 0;
                        })),
                Mutant.posts(
                        "RD-1",
                        "a read misses the last byte",
                        "the initiator's region: ",
                        edit(OperationKind.READ, c -> {
                            int last = c.lengths().length - 1;
                            c.lengths()[last] -= c.lengths()[last] > 1 ? 1 : 0;
                        })),
                Mutant.posts(
                        "WR-2",
                        "a write of many segments swaps two sources",
                        "the target's region: ",
                        edit(OperationKind.WRITE, ByteMutants::swapTwoOfMany)),
                Mutant.posts(
                        "RD-2",
                        "a read of many segments swaps two destinations",
                        "the initiator's region: ",
                        edit(OperationKind.READ, ByteMutants::swapTwoOfMany)),
                Mutant.posts(
                        "WR-3",
                        "merged writes miss a byte",
                        "the target's region of pair 0",
                        edit(OperationKind.WRITE, c -> c.lengths()[0] -= c.lengths()[0] > 100 ? 1 : 0)),
                Mutant.posts(
                        "RD-3",
                        "merged reads miss a byte",
                        "the initiator's region of pair 0",
                        edit(OperationKind.READ, c -> c.lengths()[0] -= c.lengths()[0] > 100 ? 1 : 0)),
                Mutant.posts(
                        "REG-8",
                        "remote offsets are rounded down to 8",
                        "the region after ",
                        edit(OperationKind.WRITE, c -> c.remoteOffsets()[0] &= ~7L)),
                Mutant.posts(
                        "WR-10",
                        "writes go one byte too far",
                        "after transfer ",
                        edit(OperationKind.WRITE, c -> c.lengths()[c.lengths().length - 1]++)),
                Mutant.posts(
                        "RD-10",
                        "reads go one byte too far",
                        "after transfer ",
                        edit(OperationKind.READ, c -> c.lengths()[c.lengths().length - 1]++)),
                Mutant.posts(
                        "CAP-1",
                        "reads are declared and not done",
                        "FAILED with UNSUPPORTED",
                        (context, link, operation) -> operation.kind() == OperationKind.READ
                                ? ErrorCode.UNSUPPORTED.number()
                                : link.post(operation)),
                Mutant.backend(
                        "DL-2",
                        "a fence does not stop what is late",
                        "which was stored into the source after",
                        sound -> Spoil.posts(sound, ByteMutants::postLate, ByteMutants::lie)));
    }

    private static Spoil.Post edit(OperationKind kind, Consumer<CopiedOperation> edit) {
        return (context, link, operation) -> {
            CopiedOperation copy = new CopiedOperation(operation);
            if (operation.kind() == kind && operation.segmentCount() > 0) {
                edit.accept(copy);
            }
            return link.post(copy);
        };
    }

    private static void swapTwoOfMany(CopiedOperation c) {
        if (c.lengths().length > 32) {
            long kept = c.localOffsets()[1];
            c.localOffsets()[1] = c.localOffsets()[0];
            c.localOffsets()[0] = kept;
            long shorter = Math.min(c.lengths()[0], c.lengths()[1]);
            c.lengths()[0] = shorter;
            c.lengths()[1] = shorter;
        }
    }

    private static final Queue<Runnable> LATE = new ConcurrentLinkedQueue<>();

    /** Says that all is quiet, and lets what was posted go on. */
    private static void lie() {
        for (Runnable late = LATE.poll(); late != null; late = LATE.poll()) {
            late.run();
        }
    }

    /** Copies by address, past every fence, after its own. */
    @SuppressWarnings("restricted") // the defect is that it reaches memory by itself
    private static int postLate(BackendContext context, Link link, Operation operation) {
        if (operation.totalBytes() < 100 || operation.kind() == OperationKind.READ) {
            return link.post(operation);
        }
        CopiedOperation copy = new CopiedOperation(operation);
        MemorySegment source = copy.local(0).spec().segment().orElseThrow();
        MemorySegment target = MemorySegment.ofAddress(
                        copy.remote(0).descriptor().address())
                .reinterpret(copy.remote(0).descriptor().length());
        LATE.add(() -> {
            context.completions().complete(copy.token(), ErrorCode.CANCELLED.number(), 0);
            CompletableFuture.delayedExecutor(30, TimeUnit.MILLISECONDS)
                    .execute(() -> MemorySegment.copy(source, 0, target, 0, copy.lengths()[0]));
        });
        return Link.ACCEPTED;
    }
}
