package io.weft.cli.rank;

import io.weft.api.ErrorCode;
import io.weft.api.WeftException;
import io.weft.kv.KvPoll;
import io.weft.kv.KvReceiver;
import io.weft.kv.LeaseState;
import io.weft.kv.MemoryLease;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Rooms of a decode rank. */
final class DecodeOps implements RoomOps {
    private static final int[] NO_PAGES = {};
    private static final long DRAIN_SECONDS = 15;
    /** Rooms whose leases are remembered after their end, for {@code drain}. */
    private static final int ENDED = 4_096;

    /** Makes receivers. */
    interface Receivers {
        /**
         * Makes one.
         *
         * @param room the room
         * @param registry registry of its prefill instance
         */
        KvReceiver receiver(long room, String registry);
    }

    private final Receivers receivers;
    private final String registry;
    private final Buffers buffers;
    private final MemoryOps memory;
    private final RoomWatch watch;
    private final Events events;
    private final Map<Long, Open> open = new ConcurrentHashMap<>();
    private final Map<Long, MemoryLease> leases = java.util.Collections.synchronizedMap(new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, MemoryLease> eldest) {
            return size() > ENDED;
        }
    });

    DecodeOps(Receivers receivers, String registry, Buffers buffers, MemoryOps memory, RoomWatch watch, Events events) {
        this.receivers = receivers;
        this.registry = registry;
        this.buffers = buffers;
        this.memory = memory;
        this.watch = watch;
        this.events = events;
    }

    @Override
    public void carryOut(Line line) {
        switch (line.op()) {
            case "recv" -> receive(line);
            case "abort" -> {
                Open room = open.get(line.room());
                if (room != null) {
                    room.receiver.abort();
                }
            }
            case "drain" -> Thread.ofVirtual().name("rank-drain").start(() -> drain(line));
            default -> throw Line.invalid("a decode rank knows no op '" + line.op() + "'");
        }
    }

    /** Receipts are the writing side's. */
    @Override
    public void describe(ObjectNode stats) {
        stats.set(
                "roomsByState",
                Events.sizes(RoomOps.byState(open.values().stream().map(room -> room.receiver.poll()))));
        stats.putArray("receipts");
    }

    private void receive(Line line) {
        long room = line.room();
        if (open.containsKey(room)) {
            throw new WeftException(
                    ErrorCode.INVALID_ARGUMENT, "room " + Long.toUnsignedString(room) + " is open already");
        }
        events.remember(room, line);
        KvReceiver receiver = receivers.receiver(room, line.text("bootstrap", registry));
        Open made = new Open(receiver, line);
        int auxIndex = line.number("auxIndex", -1);
        int[] pages = line.numbers("pages");
        open.put(room, made);
        try {
            if (line.has("traceparent")) {
                receiver.traceparent(line.text("traceparent", ""));
            }
            receiver.init(line.number("prefillDpRank", KvReceiver.ANY_DP_RANK));
            receiver.sendMetadata(
                    pages == null ? NO_PAGES : pages,
                    auxIndex,
                    line.lists("stateIndices"),
                    line.number("prefixLen", 0));
        } catch (WeftException e) {
            open.remove(room);
            receiver.clear();
            events.forget(room);
            throw e;
        }
        leases.put(room, receiver.lease());
        watch.add(room, made);
    }

    private void drain(Line line) {
        try {
            MemoryLease lease = leases.get(line.room());
            var answer = Events.answer("drained", line);
            answer.set("room", line.node().get("room"));
            String how = lease == null ? "NONE" : await(lease);
            events.tell(answer.put("drained", lease == null || lease.state().isReleased())
                    .put("how", how));
        } catch (WeftException e) {
            events.error(line, e.getMessage());
        }
    }

    private static String await(MemoryLease lease) {
        try {
            LeaseState state = lease.released().toCompletableFuture().get(DRAIN_SECONDS, TimeUnit.SECONDS);
            return state.name();
        } catch (TimeoutException | ExecutionException _) {
            return lease.state().name();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return lease.state().name();
        }
    }

    /** One room until its end was told. */
    private final class Open implements RoomWatch.Watched {
        private final KvReceiver receiver;
        private final StatusTeller teller;
        private final int auxIndex;
        private final @Nullable Line dump;
        private final long bytes;

        Open(KvReceiver receiver, Line line) {
            this.receiver = receiver;
            this.teller = new StatusTeller(events, receiver.room());
            this.auxIndex = line.number("auxIndex", -1);
            this.dump = line.has("dumpOnSuccess") ? line : null;
            this.bytes = buffers.bytesOf(line.numbers("pages"), auxIndex, line.lists("stateIndices"));
        }

        @Override
        public boolean look() {
            KvPoll status = receiver.poll();
            if (status == KvPoll.SUCCESS && buffers.readRoom(auxIndex) == 0 && receiver.room() != 0) {
                // The gate of the original's scheduler: the row is complete once it names its room.
                status = KvPoll.TRANSFERRING;
            }
            if (status.isTerminal()) {
                open.remove(receiver.room(), this);
            }
            teller.tell(status, status == KvPoll.SUCCESS ? bytes : 0, receiver.failure());
            if (!status.isTerminal()) {
                return false;
            }
            Line wanted = dump;
            if (status == KvPoll.SUCCESS && wanted != null) {
                events.tell(memory.dumpOnSuccess(wanted, receiver.room()));
            }
            receiver.clear();
            events.forget(receiver.room());
            return true;
        }
    }

    @Override
    public void close() {
        open.values().forEach(room -> room.receiver.clear());
    }
}
