package io.weft.cli.rank;

import io.weft.kv.KvChunk;
import io.weft.kv.KvPoll;
import io.weft.kv.KvSender;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Rooms of a prefill rank. */
final class PrefillOps implements RoomOps {
    private static final int[] NO_PAGES = {};

    private final LongFunction<KvSender> senders;
    private final Buffers buffers;
    private final FaultEngine faults;
    private final DroppedPages dropped;
    private final RoomWatch watch;
    private final Events events;
    private final Map<Long, Open> open = new ConcurrentHashMap<>();

    PrefillOps(
            LongFunction<KvSender> senders,
            Buffers buffers,
            FaultEngine faults,
            DroppedPages dropped,
            RoomWatch watch,
            Events events) {
        this.senders = senders;
        this.buffers = buffers;
        this.faults = faults;
        this.dropped = dropped;
        this.watch = watch;
        this.events = events;
    }

    @Override
    public void carryOut(Line line) {
        switch (line.op()) {
            case "open" -> room(line);
            case "send" -> send(line);
            case "abort" -> abort(line);
            case "fault" -> fault(line);
            default -> throw Line.invalid("a prefill rank knows no op '" + line.op() + "'");
        }
    }

    @Override
    public void describe(ObjectNode stats) {
        stats.set(
                "roomsByState",
                Events.sizes(RoomOps.byState(open.values().stream().map(room -> room.sender.poll()))));
        faults.receipts().describe(stats.putArray("receipts"));
    }

    private Open room(Line line) {
        long room = line.room();
        Open known = open.get(room);
        if (known != null) {
            return known;
        }
        events.remember(room, line);
        Open made = new Open(senders.apply(room));
        open.put(room, made);
        watch.add(room, made);
        return made;
    }

    private void send(Line line) {
        Open room = room(line);
        int[] pages = line.numbers("pages");
        pages = pages == null ? NO_PAGES : pages;
        boolean last = line.flag("last", true);
        int auxIndex = line.number("auxIndex", -1);
        int[] drop = line.numbers("dropPages");
        if (drop != null) {
            dropped.add(drop);
            room.dropped = drop;
        }
        if (last && auxIndex >= 0 && line.flag("writeRoom", true)) {
            buffers.writeRoom(auxIndex, line.room());
        }
        room.send(pages, last, auxIndex, line);
    }

    private void abort(Line line) {
        Open room = open.get(line.room());
        if (room != null) {
            room.sender.abort();
        }
    }

    private void fault(Line line) {
        if (line.has("delayMs")) {
            faults.delayWrites(TimeUnit.MILLISECONDS.toNanos(line.number("delayMs", 0)));
        } else {
            faults.failNext(new FaultEngine.Failure(
                    line.node().path("code").asString("FABRIC"), line.text("message", "failed on purpose")));
        }
    }

    /** One room until its end was told. */
    private final class Open implements RoomWatch.Watched {
        private final KvSender sender;
        private final StatusTeller teller;
        private boolean initialised;
        private int pagesSoFar;
        private boolean prefixTold;
        private volatile boolean sending;
        private volatile int[] dropped = NO_PAGES;

        Open(KvSender sender) {
            this.sender = sender;
            this.teller = new StatusTeller(events, sender.room());
        }

        void send(int[] pages, boolean last, int auxIndex, Line line) {
            pagesSoFar += pages.length;
            if (!initialised && (line.has("totalPages") || last)) {
                initialised = true;
                sender.init(line.number("totalPages", pagesSoFar), auxIndex);
            }
            sender.send(chunk(pages, last, last ? line.lists("stateIndices") : null));
            sending = true;
        }

        @SuppressWarnings("NullAway") // loses the nullness of a record's array elements in its class file
        private static KvChunk chunk(int[] pages, boolean last, @Nullable List<int @Nullable []> state) {
            return new KvChunk(pages, last, state, null);
        }

        @Override
        public boolean look() {
            KvPoll status = sender.poll();
            if (!prefixTold && sending && status.number() >= KvPoll.WAITING_FOR_INPUT.number()) {
                prefixTold = true;
                var event = Events.event("prefix");
                events.putRoom(event, sender.room());
                events.tell(event.put("decodePrefixLen", sender.prefixTokens()));
            }
            if (status.isTerminal()) {
                // Out of the table before it is told, so that the driver may use the number again.
                open.remove(sender.room(), this);
            }
            teller.tell(status, sender.bytes(), sender.failure());
            if (!status.isTerminal()) {
                return false;
            }
            sender.clear();
            events.forget(sender.room());
            PrefillOps.this.dropped.remove(dropped);
            return true;
        }
    }

    @Override
    public void close() {
        open.values().forEach(room -> room.sender.clear());
    }
}
