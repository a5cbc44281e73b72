package io.weft.kv.internal.prefill;

import io.weft.api.ErrorCode;
import io.weft.api.ReadyEvent;
import io.weft.api.SharedSegments;
import io.weft.api.Transfer;
import io.weft.api.TransferEngine;
import io.weft.api.TransferOptions;
import io.weft.api.WeftException;
import io.weft.kv.internal.room.RankTimer;
import io.weft.kv.internal.room.RoomFailure;
import io.weft.kv.plan.KvPlanner;
import io.weft.kv.plan.SegmentPlan;
import io.weft.kv.wire.TransferMetadata;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Plans chunks and hands them to the engine: one transfer per decode rank and chunk. Confined to its shard's thread, except that
 * transfers end on the engine's.
 */
final class ChunkWriter {
    private static final long FIRST_RETRY_MILLIS = 2;
    private static final int MAX_RETRY_SHIFT = 6;

    private final TransferEngine engine;
    private final DecodePeers peers;
    private final Setup setup;
    private final RoomRunner runner;
    private final RankTimer timer;
    private final LongSupplier nanoClock;
    private final KvPlanner planner = new KvPlanner();

    /**
     * What does not change.
     *
     * @param lastStage whether this is the last pipeline stage, which sends the aux rows
     * @param auxFabric whether aux rows go over the fabric where they can
     * @param retryNanos how long a transfer may wait for room in the engine's queue
     * @param dropped told of state indices that were left out
     * @param spans told of each transfer that ended
     */
    record Setup(
            boolean lastStage,
            boolean auxFabric,
            long retryNanos,
            DecodePeer.DroppedIndices dropped,
            RoomSpans spans) {}

    ChunkWriter(
            TransferEngine engine,
            DecodePeers peers,
            Setup setup,
            RoomRunner runner,
            RankTimer timer,
            LongSupplier nanoClock) {
        this.engine = engine;
        this.peers = peers;
        this.setup = setup;
        this.runner = runner;
        this.timer = timer;
        this.nanoClock = nanoClock;
    }

    /** Submits the room's next chunk, if its turn has come. */
    void pump(PrefillRoom room, Shard shard) {
        Task task = room.take(nanoClock.getAsLong());
        if (task == null) {
            return;
        }
        try {
            for (Part part : task.parts()) {
                submit(new Write(room, shard, task, part, nanoClock.getAsLong(), 0));
            }
        } finally {
            runner.run(room, room.submitted(nanoClock.getAsLong()));
            shard.wake(room);
        }
    }

    /** One chunk on its way to one decode rank. */
    private record Write(PrefillRoom room, Shard shard, Task task, Part part, long since, int attempt) {
        Write again() {
            return new Write(room, shard, task, part, since, attempt + 1);
        }
    }

    private void submit(Write write) {
        try {
            List<SharedSegments> parts = new ArrayList<>(4);
            long bytes = plan(peer(write.part()), write.task(), write.part().metadata(), parts);
            if (parts.isEmpty()) {
                return;
            }
            ReadyEvent ready = write.task().chunk().readyWhen();
            TransferOptions options =
                    ready == null ? TransferOptions.DEFAULT : TransferOptions.DEFAULT.withReadyWhen(ready);
            Transfer transfer = engine.writeMulti(parts, options);
            write.shard().started();
            runner.run(write.room(), write.room().started(transfer, bytes));
            transfer.onCompletion(ended -> completed(write, ended, bytes));
        } catch (WeftException refused) {
            fail(write.room(), refused.code(), "Transfer submission failed: " + refused.getMessage());
        } catch (RuntimeException defect) {
            // A defect in planning must end the room and name itself, and must not end the shard.
            fail(write.room(), ErrorCode.INTERNAL, "Transfer submission failed: " + defect);
        }
    }

    private void fail(PrefillRoom room, ErrorCode code, String reason) {
        runner.run(room, room.fail(new RoomFailure(code, reason)));
    }

    private DecodePeer peer(Part part) {
        String key = part.metadata().engineKey();
        Optional<DecodePeers.Entry> entry = peers.find(key);
        if (entry.isEmpty()) {
            throw new WeftException(ErrorCode.NOT_REGISTERED, "Peer info missing for engine " + key);
        }
        DecodePeer peer = entry.get().peer();
        if (peer == null) {
            throw entry.get().refused();
        }
        return peer;
    }

    private long plan(DecodePeer peer, Task task, TransferMetadata to, List<SharedSegments> parts) {
        long bytes = 0;
        if (task.pages().length > 0 && peer.route().writes()) {
            List<SegmentPlan> plans = planner.plan(
                    peer.route(), task.pages(), to.pages(), task.positions().from());
            for (int group = 0; group < peer.route().groups().size(); group++) {
                SegmentPlan plan = plans.get(group);
                parts.add(new SharedSegments(peer.kvPairs(group), plan.table()));
                bytes += plan.bytes() * peer.kvPairs(group).size();
            }
        }
        if (task.isLast()) {
            bytes += planLast(peer, task, to, parts);
        }
        return bytes;
    }

    private long planLast(DecodePeer peer, Task task, TransferMetadata to, List<SharedSegments> parts) {
        if (task.totalPages() != to.pages().length) {
            throw new WeftException(
                    ErrorCode.INVALID_ARGUMENT,
                    "decode named " + to.pages().length + " pages and prefill sent " + task.totalPages());
        }
        int first = parts.size();
        parts.addAll(peer.stateParts(task, to.stateIndices(), setup.dropped()));
        if (to.auxIndex() >= 0 && (setup.lastStage() || peer.isStageLocal())) {
            if (task.auxRow() < 0) {
                throw new WeftException(
                        ErrorCode.INVALID_ARGUMENT,
                        "decode named aux row " + to.auxIndex() + " and prefill was given none");
            }
            if (setup.auxFabric() && peer.hasSameAux()) {
                parts.addAll(peer.auxParts(task.auxRow(), to.auxIndex()));
            }
        }
        return parts.subList(first, parts.size()).stream()
                .mapToLong(ChunkWriter::bytes)
                .sum();
    }

    private static long bytes(SharedSegments part) {
        long sum = 0;
        for (int i = part.segments().from(); i < part.segments().to(); i++) {
            sum += part.segments().lengths()[i];
        }
        return sum * part.pairs().size();
    }

    private void completed(Write write, Transfer transfer, long bytes) {
        write.shard().ended();
        boolean full =
                transfer.code().filter(ErrorCode.RESOURCE_EXHAUSTED::equals).isPresent();
        if (full && nanoClock.getAsLong() - write.since() < setup.retryNanos()) {
            write.room().postponed(transfer, bytes);
            long delay = FIRST_RETRY_MILLIS << Math.min(write.attempt(), MAX_RETRY_SHIFT);
            timer.after(delay, () -> write.shard().execute(() -> resubmit(write.again())));
        } else {
            setup.spans().ended(write.room(), write.part(), transfer, nanoClock.getAsLong() - write.since());
            runner.run(write.room(), write.room().ended(write.part(), transfer, nanoClock.getAsLong()));
        }
    }

    private void resubmit(Write write) {
        try {
            if (!write.room().status().isTerminal()) {
                submit(write);
            }
        } finally {
            runner.run(write.room(), write.room().resubmitted(nanoClock.getAsLong()));
        }
    }
}
