package io.weft.kv.internal.prefill;

import io.weft.api.ErrorCode;
import io.weft.api.Receipt;
import io.weft.api.RemoteQuiescence;
import io.weft.api.Transfer;
import io.weft.api.TransferState;
import io.weft.kv.KvChunk;
import io.weft.kv.KvPoll;
import io.weft.kv.internal.memory.Lease;
import io.weft.kv.internal.room.Reasons;
import io.weft.kv.internal.room.RoomFailure;
import io.weft.kv.internal.room.Words;
import io.weft.kv.wire.NetworkAddress;
import io.weft.kv.wire.Quiet;
import io.weft.kv.wire.RoomAbort;
import io.weft.kv.wire.TransferMetadata;
import io.weft.telemetry.RoomView;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One use of a room at a prefill rank. The object is the only owner of the room's state and its monitor the only lock; methods
 * decide and return {@link Actions}, which the caller carries out afterwards.
 *
 * <p>Status moves forward only and ends once (rule KV-2). A failed room is <em>drained</em> once every transfer it started is
 * terminal; only then older decode ranks hear of the failure, because they free their pages on hearing it.
 */
final class PrefillRoom {
    private final long id;
    private final RoomLimits limits;
    private final ChunkLedger chunks;
    private final Lease lease = new Lease();
    private final Map<String, Part> parts = new LinkedHashMap<>();
    private final Set<Transfer> active = new LinkedHashSet<>();
    private final boolean idleCpRank;

    private volatile KvPoll status = KvPoll.BOOTSTRAPPING;
    private volatile @Nullable RoomFailure failure;
    private boolean hasSender;
    private boolean drained;
    private int required = 1;
    private int holds;
    private int postponed;
    private long bytes;
    private long since;
    private final long created;

    /**
     * How long a room may stay in each state, and its share of the pages.
     *
     * @param bootstrapNanos without metadata or without a sender
     * @param inputNanos without a chunk
     */
    record RoomLimits(long bootstrapNanos, long inputNanos) {}

    PrefillRoom(long id, RoomLimits limits, ChunkLedger chunks, boolean idleCpRank, long now) {
        this.id = id;
        this.limits = limits;
        this.chunks = chunks;
        this.idleCpRank = idleCpRank;
        this.since = now;
        this.created = now;
        if (idleCpRank) {
            status = KvPoll.WAITING_FOR_INPUT;
        }
    }

    long id() {
        return id;
    }

    KvPoll status() {
        return status;
    }

    @Nullable
    RoomFailure failure() {
        return failure;
    }

    Lease lease() {
        return lease;
    }

    synchronized boolean hasSender() {
        return hasSender;
    }

    synchronized long bytes() {
        return bytes;
    }

    synchronized int auxRow() {
        return chunks.auxRow();
    }

    synchronized boolean isDrained() {
        return drained;
    }

    boolean isOlderThan(long nanos, long now) {
        return now - created >= nanos;
    }

    /** The uses of the room that its decode ranks named. */
    synchronized Set<Long> generations() {
        return parts.values().stream().map(Part::generation).collect(Collectors.toSet());
    }

    /** Whether a decode rank at this address takes part. */
    synchronized boolean involves(NetworkAddress address) {
        return parts.values().stream().anyMatch(p -> p.address().equals(address));
    }

    /** With whom, in words. */
    synchronized String peers() {
        return parts.isEmpty() ? "no decode rank yet" : "decode ranks " + Words.list(parts.keySet().stream());
    }

    synchronized void attachSender(long now) {
        hasSender = true;
        if (!status.isTerminal()) {
            since = now;
        }
    }

    /** Whether a decode rank's part with this generation is in this use of the room. */
    synchronized boolean concerns(String engineKey, long generation) {
        Part part = parts.get(engineKey);
        return part != null && part.generation() == generation;
    }

    /** Decode ranks that were announced and did not report, for a room that failed before it heard of all. */
    synchronized int unheard() {
        return hasSender && !idleCpRank ? Math.max(0, required - parts.size()) : 0;
    }

    /** Tokens that decode already holds, told by the first part that has a prefix; all of them should agree. */
    synchronized int prefixTokens() {
        return parts.values().stream()
                .mapToInt(p -> p.metadata().prefixTokens())
                .filter(tokens -> tokens > 0)
                .findFirst()
                .orElse(0);
    }

    /** The room for people. */
    synchronized RoomView view(long now) {
        RoomFailure reason = failure;
        String waits = switch (status) {
            case BOOTSTRAPPING ->
                hasSender
                        ? "decode ranks to say where the bytes go: " + heard()
                        : "a sender here; decode ranks have spoken";
            case WAITING_FOR_INPUT -> hasSender ? "the caller to send a chunk" : "a sender here";
            case TRANSFERRING -> waitsWhileTransferring();
            case SUCCESS -> "";
            case FAILED -> drained ? "" : active.size() + " transfers to end before " + peers() + " are told";
        };
        return new RoomView(
                "prefill",
                Long.toUnsignedString(id),
                status.wireName(),
                waits,
                now - created,
                active.size(),
                lease.state().name(),
                reason == null ? "" : reason.text());
    }

    private String waitsWhileTransferring() {
        String transfers = active.isEmpty() ? "" : active.size() + " transfers to " + peers();
        String queue = postponed == 0
                ? ""
                : postponed
                        + " more to find room in the engine's queue for their peer, which is full (weft.queue.transfers,"
                        + " weft.queue.segments)";
        String both = transfers + (transfers.isEmpty() || queue.isEmpty() ? "" : " and ") + queue;
        return both.isEmpty() ? "the next chunk" : both;
    }

    /** Metadata from a registered decode rank. */
    synchronized Actions onMetadata(TransferMetadata metadata, long now) {
        Actions actions = new Actions();
        boolean repeated = concerns(metadata.engineKey(), metadata.extras().generation());
        if (status != KvPoll.BOOTSTRAPPING) {
            if (!repeated || status == KvPoll.FAILED) {
                actions.notice(new Part(metadata), false, Quiet.ACKED);
            }
            return actions;
        }
        parts.put(metadata.engineKey(), new Part(metadata));
        required = metadata.requiredPeers();
        if (parts.size() >= required) {
            enter(KvPoll.WAITING_FOR_INPUT, now);
            actions.pump();
        }
        return actions;
    }

    synchronized Actions init(int pages, int auxRow) {
        Actions actions = new Actions();
        String wrong = chunks.init(pages, auxRow);
        if (wrong != null) {
            failLocked(Reasons.wrongChunk(id, wrong), actions);
        }
        return actions;
    }

    synchronized boolean wouldComplete(int pages) {
        return chunks.wouldComplete(pages);
    }

    synchronized Actions send(KvChunk chunk, long now) {
        Actions actions = new Actions();
        if (status.isTerminal()) {
            return actions;
        }
        String wrong = chunks.accept(chunk);
        if (wrong != null) {
            failLocked(Reasons.wrongChunk(id, wrong), actions);
            return actions;
        }
        since = now;
        if (idleCpRank) {
            chunks.clear();
            if (chunk.last()) {
                succeedLocked(actions);
            }
        } else {
            actions.pump();
        }
        return actions;
    }

    /** Takes the next chunk and holds the room open until {@link #submitted}. */
    synchronized @Nullable Task take(long now) {
        boolean ready = status == KvPoll.WAITING_FOR_INPUT || status == KvPoll.TRANSFERRING;
        ChunkLedger.Entry entry = ready && !idleCpRank ? chunks.next() : null;
        if (entry == null) {
            return null;
        }
        if (status != KvPoll.TRANSFERRING) {
            enter(KvPoll.TRANSFERRING, now);
        }
        holds++;
        List<Part> real = parts.values().stream().filter(p -> !p.isDummy()).toList();
        boolean last = entry.chunk().last();
        return new Task(
                entry.chunk(),
                entry.pages(),
                entry.positions(),
                last ? chunks.accepted() : -1,
                last ? chunks.auxRow() : -1,
                real);
    }

    /** A transfer of the room began; it is to be cancelled at once if the room failed meanwhile. */
    synchronized Actions started(Transfer transfer, long transferBytes) {
        Actions actions = new Actions();
        active.add(transfer);
        bytes += transferBytes;
        if (status == KvPoll.FAILED) {
            actions.cancel(List.of(transfer));
        }
        return actions;
    }

    /** Everything of a taken chunk was submitted. */
    synchronized Actions submitted(long now) {
        Actions actions = new Actions();
        holds--;
        since = now;
        settle(actions);
        return actions;
    }

    /** The engine had no room for a transfer: it is not over, it waits to be submitted again. */
    synchronized void postponed(Transfer transfer, long transferBytes) {
        active.remove(transfer);
        bytes -= transferBytes;
        holds++;
        postponed++;
    }

    /** It was submitted again, or the room ended meanwhile. */
    synchronized Actions resubmitted(long now) {
        postponed--;
        return submitted(now);
    }

    synchronized Actions ended(Part part, Transfer transfer, long now) {
        Actions actions = new Actions();
        active.remove(transfer);
        since = now;
        if (transfer.state() != TransferState.SUCCEEDED) {
            RemoteQuiescence remote = transfer.receipt().map(Receipt::remote).orElse(RemoteQuiescence.UNCONFIRMED);
            if (remote == RemoteQuiescence.UNCONFIRMED) {
                part.endedUnconfirmed();
            }
            failLocked(
                    new RoomFailure(
                            transfer.code().orElse(ErrorCode.INTERNAL), "KV transfer failed: " + transfer.text()),
                    actions);
        }
        settle(actions);
        return actions;
    }

    synchronized Actions fail(RoomFailure reason) {
        Actions actions = new Actions();
        failLocked(reason, actions);
        return actions;
    }

    /**
     * Whether an abort concerns this use of the room: the rank takes part with that generation, or it may be one that was not
     * heard yet. Older peers do not say which use they mean.
     *
     * @param endedLately whether the use that it names is known to be over
     */
    synchronized boolean isMeantBy(Part aborter, boolean endedLately) {
        if (aborter.generation() == 0) {
            return true;
        }
        Part part = parts.get(aborter.metadata().engineKey());
        return part != null
                ? part.generation() == aborter.generation()
                : !endedLately && (idleCpRank || parts.size() < required);
    }

    /**
     * A decode rank gave the room up. A Weft rank gets an answer in any case: as soon as nothing is in flight, and at once if
     * the room is over or never heard of the rank.
     *
     * @param aborter the rank as it describes itself
     */
    synchronized Actions onAbort(RoomAbort abort, Part aborter) {
        Actions actions = new Actions();
        Part part = parts.get(aborter.metadata().engineKey());
        if (part != null) {
            part.abort();
        }
        boolean answersLater = part != null && part.isToldAtEnd() && !drained;
        failLocked(Reasons.aborted("decode rank " + abort.host() + ":" + abort.port()), actions);
        if (!answersLater && aborter.isWeft()) {
            actions.notice(aborter, false, part == null ? Quiet.ACKED : part.quiet());
        }
        return actions;
    }

    /** Fails the room if it stayed in a state for too long. */
    synchronized Actions checkDeadline(long now) {
        Actions actions = new Actions();
        long elapsed = now - since;
        switch (status) {
            case BOOTSTRAPPING -> {
                if (elapsed >= limits.bootstrapNanos()) {
                    failLocked(Reasons.timedOut(id, elapsed, status, missingPeers()), actions);
                }
            }
            case WAITING_FOR_INPUT -> {
                long limit = hasSender ? limits.inputNanos() : limits.bootstrapNanos();
                if (elapsed >= limit) {
                    failLocked(Reasons.timedOut(id, elapsed, status, missingInput()), actions);
                }
            }
            case TRANSFERRING -> {
                if (active.isEmpty() && holds == 0 && chunks.isEmpty() && elapsed >= limits.inputNanos()) {
                    failLocked(Reasons.timedOut(id, elapsed, status, missingInput()), actions);
                }
            }
            case FAILED, SUCCESS -> {}
        }
        return actions;
    }

    /** How many decode ranks were heard, and which: the missing ones are not known here before they speak. */
    private String heard() {
        String which = parts.isEmpty() ? "" : " (" + Words.list(parts.keySet().stream()) + ")";
        return parts.size() + " of " + required + " did" + which;
    }

    private String missingPeers() {
        return "decode ranks should have sent metadata, " + heard() + "; set weft.kv.bootstrap.timeout or "
                + "SGLANG_DISAGGREGATION_BOOTSTRAP_TIMEOUT to wait longer";
    }

    private String missingInput() {
        if (!hasSender) {
            return "decode ranks announced the room and no sender was made for it";
        }
        String of = chunks.total() < 0 ? "" : " of " + chunks.total();
        return "no further chunk came after " + chunks.accepted() + of
                + " pages; set weft.kv.input.timeout to wait longer";
    }

    private void enter(KvPoll next, long now) {
        status = next;
        since = now;
    }

    private void failLocked(RoomFailure reason, Actions actions) {
        if (status.isTerminal()) {
            return;
        }
        failure = reason;
        status = KvPoll.FAILED;
        chunks.clear();
        actions.ended();
        actions.cancel(new ArrayList<>(active));
        if (!active.isEmpty() || holds > 0) {
            parts.values().stream()
                    .filter(Part::isToldWhilePending)
                    .forEach(p -> actions.notice(p, false, Quiet.PENDING));
        }
        settle(actions);
    }

    private void succeedLocked(Actions actions) {
        status = KvPoll.SUCCESS;
        actions.ended();
        for (Part part : parts.values()) {
            if (!part.isDummy()) {
                actions.notice(part, true, Quiet.ACKED);
            }
        }
        drain(actions);
    }

    /** With nothing in flight: a failed room is drained, a complete one succeeded. */
    private void settle(Actions actions) {
        if (!active.isEmpty() || holds > 0 || drained) {
            return;
        }
        if (status == KvPoll.FAILED) {
            parts.values().stream().filter(Part::isToldAtEnd).forEach(p -> actions.notice(p, false, p.quiet()));
            drain(actions);
        } else if (status == KvPoll.TRANSFERRING && chunks.isComplete()) {
            succeedLocked(actions);
        }
    }

    private void drain(Actions actions) {
        drained = true;
        actions.drained();
    }
}
