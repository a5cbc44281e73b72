package io.weft.kv.internal.decode;

import io.weft.api.ErrorCode;
import io.weft.api.WeftException;
import io.weft.kv.KvPoll;
import io.weft.kv.LeaseState;
import io.weft.kv.internal.memory.AuxRows;
import io.weft.kv.internal.memory.Lease;
import io.weft.kv.internal.memory.PageLedger;
import io.weft.kv.internal.memory.Wanted;
import io.weft.kv.internal.room.Reasons;
import io.weft.kv.internal.room.RoomFailure;
import io.weft.kv.internal.room.Words;
import io.weft.kv.wire.AuxData;
import io.weft.kv.wire.NetworkAddress;
import io.weft.kv.wire.RoomStatus;
import io.weft.telemetry.RoomView;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One use of a room at a decode rank. The object is the only owner of the room's state and its monitor the only lock; methods
 * decide and return {@link DecodeActions}, which the caller carries out afterwards.
 *
 * <p>Only the ranks that really write are counted, each once (rule KV-5). A room that fails keeps its memory leased until every
 * writer reported that its writes are over or was cut off (rule KV-4).
 */
final class DecodeRoom {
    private final long id;
    private final long generation;
    private final String registry;
    private final Limits limits;
    private final PageLedger ledger;
    private final Lease lease = new Lease();

    private volatile KvPoll status = KvPoll.BOOTSTRAPPING;
    private volatile @Nullable RoomFailure failure;
    private volatile String traceparent = "";
    private @Nullable PrefillInstance instance;
    private @Nullable Writers writers;
    private @Nullable Wanted wanted;
    private int prefixTokens;
    private boolean metadataSent;
    private long since;

    /**
     * How long a room may stay in each state.
     *
     * @param bootstrapNanos without the prefill ranks' addresses
     * @param waitingNanos without its bytes
     * @param drainNanos failed, without a report of a Weft rank
     * @param quarantineNanos failed, without a report of an older rank
     */
    record Limits(long bootstrapNanos, long waitingNanos, long drainNanos, long quarantineNanos) {}

    /** What became of a message. */
    enum Verdict {
        /** It belongs to the room. */
        TAKEN,
        /** It is of another use of the room, or from a rank that does not count, and changes nothing. */
        FOREIGN
    }

    DecodeRoom(long id, long generation, String registry, Limits limits, PageLedger ledger, long now) {
        this.id = id;
        this.generation = generation;
        this.registry = registry;
        this.limits = limits;
        this.ledger = ledger;
        this.since = now;
    }

    long id() {
        return id;
    }

    long generation() {
        return generation;
    }

    String registry() {
        return registry;
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

    synchronized @Nullable PrefillInstance instance() {
        return instance;
    }

    synchronized @Nullable Wanted wanted() {
        return wanted;
    }

    synchronized int prefixTokens() {
        return prefixTokens;
    }

    /** Names the trace of the room's request. */
    void trace(String context) {
        traceparent = context;
    }

    /** Empty if the room is not traced. */
    String traceparent() {
        return traceparent;
    }

    /** With whom, in words. */
    synchronized String peers() {
        String all = "the prefill ranks of registry " + registry;
        return instance == null
                ? all
                : all + " (" + Words.list(instance.ranks().stream().map(PrefillRank::inWords)) + ")";
    }

    synchronized boolean involves(NetworkAddress address) {
        return instance != null && instance.has(address);
    }

    /** The prefill ranks are known. */
    synchronized DecodeActions resolved(PrefillInstance found, long now) {
        DecodeActions actions = new DecodeActions();
        if (status != KvPoll.BOOTSTRAPPING) {
            // Given up while the look-up went on: the prefill ranks must not wait for this room.
            found.ranks().forEach(actions::abort);
            return actions;
        }
        instance = found;
        writers = new Writers(found.ranks());
        status = KvPoll.WAITING_FOR_INPUT;
        since = now;
        sendIfReady(actions, now);
        return actions;
    }

    /** Says where the bytes go; the memory is leased already. */
    synchronized DecodeActions want(Wanted memory, int prefix, long now) {
        DecodeActions actions = new DecodeActions();
        if (wanted != null) {
            throw new WeftException(
                    ErrorCode.INVALID_ARGUMENT, "room " + Long.toUnsignedString(id) + " sent its metadata already");
        }
        if (status.isTerminal()) {
            // It ended while it held nothing, so its lease is over already.
            ledger.release(memory);
            return actions;
        }
        wanted = memory;
        prefixTokens = prefix;
        sendIfReady(actions, now);
        return actions;
    }

    synchronized DecodeActions onStatus(RoomStatus message, long now) {
        DecodeActions actions = new DecodeActions();
        Writers all = writers;
        Writers.Writer writer = all == null || !metadataSent ? null : all.find(message.prefillRank());
        if (all == null || writer == null) {
            return actions;
        }
        if (message.extras().isPresent()) {
            all.heardFrom(writer, message.extras().engineKey());
        }
        if (message.status() == RoomStatus.SUCCESS) {
            all.succeeded(writer);
            if (all.allSucceeded() && !status.isTerminal()) {
                move(LeaseState.ACKED, actions);
                status = KvPoll.SUCCESS;
                actions.ended();
                return actions;
            }
        } else {
            all.failed(writer, message.extras().quiet());
            ErrorCode code = code(message);
            if (code == ErrorCode.NOT_REGISTERED
                    || code == ErrorCode.STALE_DESCRIPTOR
                    || !message.extras().isPresent()) {
                actions.forgetInstance();
            }
            failLocked(new RoomFailure(code, reason(message), writer.rank().inWords()), actions, now);
        }
        settleIfFailed(actions, now);
        return actions;
    }

    /** Whether a message belongs to this use of the room: older peers do not say, Weft peers do. */
    boolean isMeantBy(long messageGeneration) {
        return messageGeneration == 0 || messageGeneration == generation;
    }

    synchronized Verdict verdict(RoomStatus message) {
        boolean counts = metadataSent && writers != null && writers.find(message.prefillRank()) != null;
        return counts ? Verdict.TAKEN : Verdict.FOREIGN;
    }

    /** Writes an aux row, if it is this room's and the room still holds it; the row cannot be released meanwhile. */
    synchronized DecodeActions onAux(AuxData message, List<AuxRows> buffers, long now) {
        DecodeActions actions = new DecodeActions();
        Wanted memory = wanted;
        if (memory == null || !acceptsAux(message)) {
            return actions;
        }
        boolean written = message.buffer() < buffers.size()
                && buffers.get(message.buffer()).write(message.row(), message.data());
        if (!written) {
            failLocked(
                    new RoomFailure(
                            ErrorCode.INCOMPATIBLE,
                            "aux buffer " + message.buffer() + ": prefill sent a row of " + message.data().length
                                    + " bytes, decode has " + describe(buffers, message.buffer())),
                    actions,
                    now);
        }
        return actions;
    }

    synchronized boolean acceptsAux(AuxData message) {
        return status == KvPoll.WAITING_FOR_INPUT && metadataSent && wanted != null && wanted.auxRow() == message.row();
    }

    synchronized DecodeActions fail(RoomFailure reason, long now) {
        DecodeActions actions = new DecodeActions();
        failLocked(reason, actions, now);
        return actions;
    }

    synchronized DecodeActions fenced(Writers.Writer writer, boolean confirmed, long now) {
        DecodeActions actions = new DecodeActions();
        if (writers != null) {
            writers.fenceEnded(writer, confirmed);
            settleIfFailed(actions, now);
        }
        return actions;
    }

    /** Fails the room if it stayed in a state for too long, and cuts off writers that do not report. */
    synchronized DecodeActions checkDeadline(long now) {
        DecodeActions actions = new DecodeActions();
        long elapsed = now - since;
        if (status == KvPoll.BOOTSTRAPPING && elapsed >= limits.bootstrapNanos()) {
            failLocked(
                    Reasons.timedOut(
                            id,
                            elapsed,
                            status,
                            "no prefill ranks were found at " + registry
                                    + "; set weft.kv.bootstrap.timeout to wait longer"),
                    actions,
                    now);
        } else if (status == KvPoll.WAITING_FOR_INPUT && elapsed >= limits.waitingNanos()) {
            failLocked(Reasons.timedOut(id, elapsed, status, missingBytes()), actions, now);
        } else if (status == KvPoll.FAILED && writers != null && isHolding()) {
            actions.fence(writers.toFence(now, limits.drainNanos(), limits.quarantineNanos()));
        }
        return actions;
    }

    /** The room for people. */
    synchronized RoomView view(long now) {
        RoomFailure reason = failure;
        String waits = switch (status) {
            case BOOTSTRAPPING -> "prefill ranks to be found at registry " + registry;
            case WAITING_FOR_INPUT, TRANSFERRING -> missingBytes();
            case SUCCESS -> "";
            case FAILED -> isHolding() ? missingWords(now) : "";
        };
        return new RoomView(
                "decode",
                Long.toUnsignedString(id),
                status.wireName(),
                waits,
                now - since,
                0,
                lease.state().name(),
                reason == null ? "" : reason.text());
    }

    private boolean isHolding() {
        return metadataSent && !lease.state().isReleased();
    }

    private String missingBytes() {
        if (!metadataSent || writers == null) {
            return "the caller did not say where the bytes go";
        }
        return writers.successes() + " of " + writers.size() + " prefill ranks reported success, missing: "
                + writers.unfinished()
                + "; set weft.kv.waiting.timeout or SGLANG_DISAGGREGATION_WAITING_TIMEOUT to wait longer";
    }

    private String missingWords(long now) {
        return writers == null
                ? ""
                : "its writers to be known quiet, then its pages are free: "
                        + writers.unquiet(now, limits.drainNanos(), limits.quarantineNanos());
    }

    private void sendIfReady(DecodeActions actions, long now) {
        if (instance != null && wanted != null && !metadataSent) {
            metadataSent = true;
            since = now;
            actions.sendMetadata();
        }
    }

    /** Tells every rank that did not end by itself, dummies included, which wait for this room too. */
    private void failLocked(RoomFailure reason, DecodeActions actions, long now) {
        if (status.isTerminal()) {
            return;
        }
        failure = reason;
        actions.ended();
        Writers all = writers;
        if (instance != null && all != null) {
            boolean refused = reason.code() == ErrorCode.NOT_REGISTERED || reason.code() == ErrorCode.STALE_DESCRIPTOR;
            instance.ranks().stream()
                    .filter(rank -> refused || !all.isQuiet(rank.uniqueRank()))
                    .forEach(actions::abort);
            all.startWaiting(now);
        }
        if (metadataSent && all != null) {
            move(all.waitsForOlder() ? LeaseState.QUARANTINED : LeaseState.DRAINING, actions);
            settle(all, actions, now);
        } else {
            move(LeaseState.ACKED, actions);
        }
        status = KvPoll.FAILED;
    }

    private void settleIfFailed(DecodeActions actions, long now) {
        if (status == KvPoll.FAILED && writers != null && metadataSent) {
            settle(writers, actions, now);
        }
    }

    /** A failed room whose writers are all quiet gives its memory back. */
    private void settle(Writers all, DecodeActions actions, long now) {
        if (all.allQuiet()) {
            move(all.anyFenced() ? LeaseState.FENCED : LeaseState.ACKED, actions);
        } else {
            actions.fence(all.toFence(now, limits.drainNanos(), limits.quarantineNanos()));
        }
    }

    /** Done before the status is seen: who polls a room to its end may lease its pages anew at once, if it holds none. */
    private void move(LeaseState next, DecodeActions actions) {
        if (lease.move(next)) {
            if (next.isReleased() && wanted != null) {
                ledger.release(wanted);
            }
            actions.leaseMoved();
        }
    }

    private static ErrorCode code(RoomStatus message) {
        int number = message.extras().errorCode();
        return number == 0 ? ErrorCode.FABRIC : ErrorCode.ofNumber(number);
    }

    private static String reason(RoomStatus message) {
        return message.reason().isEmpty()
                ? "KV transfer failed at prefill rank " + message.prefillRank()
                : message.reason();
    }

    private static String describe(List<AuxRows> buffers, int buffer) {
        return buffer < buffers.size()
                ? buffers.get(buffer).spec().items() + " rows of "
                        + buffers.get(buffer).spec().itemLen() + " bytes"
                : buffers.size() + " buffers";
    }
}
