package io.weft.kv.internal.prefill;

import io.weft.api.Access;
import io.weft.api.ErrorCode;
import io.weft.api.TransferEngine;
import io.weft.api.WeftException;
import io.weft.kv.KvSender;
import io.weft.kv.KvSettings;
import io.weft.kv.KvStats;
import io.weft.kv.LeaseState;
import io.weft.kv.RankConfig;
import io.weft.kv.internal.endpoint.ControlEndpoint;
import io.weft.kv.internal.endpoint.EndpointEvents;
import io.weft.kv.internal.memory.LocalBuffers;
import io.weft.kv.internal.prefill.PrefillRoom.RoomLimits;
import io.weft.kv.internal.room.RankTimer;
import io.weft.kv.internal.room.RejectionLog;
import io.weft.kv.internal.room.RoomFailure;
import io.weft.kv.internal.room.RoomFailures;
import io.weft.kv.plan.RankMapping;
import io.weft.kv.wire.AuxData;
import io.weft.kv.wire.Decoded;
import io.weft.kv.wire.Extras;
import io.weft.kv.wire.KvCodec;
import io.weft.kv.wire.NetworkAddress;
import io.weft.kv.wire.PeerRegistration;
import io.weft.kv.wire.Receiver;
import io.weft.kv.wire.RoomAbort;
import io.weft.kv.wire.RoomStatus;
import io.weft.kv.wire.TransferMetadata;
import io.weft.telemetry.RoomView;
import io.weft.telemetry.SpanSink;
import io.weft.telemetry.jfr.RoomEvent;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Puts a prefill rank together: buffers, endpoint, peers, rooms, shards and the clock that looks at deadlines. */
public final class PrefillCore implements EndpointEvents, AutoCloseable {
    private static final Logger LOG = System.getLogger(PrefillCore.class.getName());
    private static final long JOIN_MILLIS = 1_000;

    private final LocalBuffers buffers;
    private final ControlEndpoint endpoint;
    private final DecodePeers peers;
    private final PrefillRooms rooms;
    private final RoomRunner runner;
    private final List<Shard> shards = new ArrayList<>();
    private final RankTimer timer;
    private final LongSupplier nanoClock;
    private final RejectionLog rejections;
    private final RoomFailures failures;
    private final long epoch;
    private final RoomSpans spans = new RoomSpans();
    private final LongAdder succeeded = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final LongAdder bytes = new LongAdder();
    private final LongAdder droppedIndices = new LongAdder();

    /**
     * Registers the buffers, binds the endpoint and starts the threads.
     *
     * @param name what threads and logs are called after
     * @param engine the engine
     * @param config the rank
     * @param settings the options
     * @param host control address
     * @param epoch this rank's incarnation
     * @param nanoClock monotonic time
     */
    public PrefillCore(
            String name,
            TransferEngine engine,
            RankConfig config,
            KvSettings settings,
            String host,
            long epoch,
            LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
        this.epoch = epoch;
        rejections = new RejectionLog(LOG, name);
        failures = new RoomFailures(engine.descriptor().key(), "prefill");
        buffers = new LocalBuffers(engine, config.args(), EnumSet.of(Access.LOCAL_READ));
        endpoint = opened(name, host, settings);
        peers = new DecodePeers(engine, config, buffers, settings.peers());
        boolean allSend = config.allCpRanksSend(settings.allCpRanks(), false);
        int sharers = allSend && !config.args().isLayerSplit() ? config.layout().cpSize() : 1;
        boolean idle = !allSend && config.layout().cpRank() != 0;
        rooms = new PrefillRooms(
                new RoomLimits(settings.bootstrapNanos(), settings.inputNanos()),
                settings.pendingRooms(),
                () -> new ChunkLedger(sharers, config.layout().cpRank()),
                idle,
                nanoClock);
        boolean lastStage = config.layout().ppRank() == config.layout().ppSize() - 1;
        runner = new RoomRunner(
                endpoint,
                Extras.from(epoch, engine.descriptor().key()),
                uniqueRank(config),
                part -> isAuxByMessage(part, lastStage, settings.auxFabric()),
                buffers,
                room -> shard(room.id()).wake(room),
                this::onEnded,
                rooms::drained);
        timer = new RankTimer(name + "-timer");
        ChunkWriter.Setup setup = new ChunkWriter.Setup(
                lastStage,
                settings.auxFabric(),
                settings.inputNanos(),
                (type, count) -> {
                    if (count > 0) {
                        droppedIndices.add(count);
                        rejections.add(
                                "state indices of " + type.wireName() + " differ in number, the longer list is cut");
                    }
                },
                spans);
        for (int i = 0; i < settings.shards(); i++) {
            ChunkWriter writer = new ChunkWriter(engine, peers, setup, runner, timer, nanoClock);
            shards.add(new Shard(name + "-xfer-s" + i, settings.shardWindow(), writer::pump));
        }
        timer.every(settings.tickNanos(), this::tick);
        endpoint.start();
    }

    /**
     * Where decode ranks reach this one.
     *
     * @return host and port
     */
    public NetworkAddress address() {
        return endpoint.address();
    }

    /**
     * Who takes the spans of traced rooms.
     *
     * @param sink from now on
     */
    public void spans(SpanSink sink) {
        spans.to(sink);
    }

    /**
     * Makes the sender of a room.
     *
     * @param id the room, unsigned
     * @param refusal why this rank must not serve it, empty if it may
     * @return the sender, of a failed room if it must not
     * @throws WeftException INVALID_ARGUMENT if the room has one
     */
    public KvSender open(long id, Optional<RoomFailure> refusal) {
        PrefillRoom room = rooms.open(id);
        refusal.ifPresent(reason -> runner.run(room, room.fail(reason)));
        return new RoomSender(room, rooms, runner, nanoClock);
    }

    /**
     * Counts and table sizes.
     *
     * @return a snapshot
     */
    public KvStats stats() {
        Map<String, Integer> tables = new TreeMap<>();
        tables.put("rooms", rooms.size());
        tables.put("pendingRooms", rooms.pending());
        tables.put("drainingRooms", rooms.drainingCount());
        tables.put("unheardRooms", rooms.unheardCount());
        tables.put("peers", peers.size());
        tables.put("sockets", endpoint.openSockets());
        tables.put("shardQueue", shards.stream().mapToInt(Shard::waiting).sum());
        return new KvStats(
                succeeded.sum(),
                failed.sum(),
                bytes.sum(),
                rejections.count(),
                endpoint.dropped(),
                droppedIndices.sum(),
                Map.of(LeaseState.DRAINING, rooms.drainingCount()),
                tables);
    }

    /**
     * Rooms that are not cleared, or whose pages are not free.
     *
     * @param most rooms to describe, the oldest first
     * @return a picture
     */
    public List<RoomView> rooms(int most) {
        long now = nanoClock.getAsLong();
        return Stream.concat(rooms.live().stream(), rooms.draining().stream())
                .map(room -> room.view(now))
                .sorted(Comparator.comparingLong(RoomView::ageNanos).reversed())
                .limit(most)
                .toList();
    }

    @Override
    public void onMessage(List<byte[]> frames) {
        try {
            switch (KvCodec.decode(Receiver.PREFILL, frames)) {
                case Decoded.Rejected rejected -> rejections.add(rejected.text());
                case Decoded.Accepted accepted -> dispatch(accepted);
            }
        } catch (WeftException refused) {
            rejections.add(String.valueOf(refused.getMessage()));
        } catch (RuntimeException defect) {
            // The receiving thread serves every decode rank: one message must not end it.
            LOG.log(Level.ERROR, "WEFT-DEFECT defect while handling a control message", defect);
        }
    }

    @Override
    public void onUnreachable(NetworkAddress address, String why) {
        RoomFailure lost =
                new RoomFailure(ErrorCode.PEER_LOST, "decode rank " + address + " cannot be reached: " + why);
        for (PrefillRoom room : rooms.live()) {
            if (!room.status().isTerminal() && room.involves(address)) {
                runner.run(room, room.fail(lost));
            }
        }
    }

    /** Fails what is open, tells the decode ranks, ends the threads and deregisters the buffers. Bounded; idempotent. */
    @Override
    public void close() {
        RoomFailure closed = new RoomFailure(ErrorCode.CLOSED, "this prefill rank was closed while the room was open");
        rooms.live().forEach(room -> runner.run(room, room.fail(closed)));
        timer.close();
        shards.forEach(Shard::close);
        endpoint.close();
        buffers.close();
        try {
            for (Shard shard : shards) {
                shard.join(JOIN_MILLIS);
            }
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }

    private void dispatch(Decoded.Accepted accepted) {
        switch (accepted.message()) {
            case PeerRegistration registration -> {
                WeftException refusal = peers.register(registration).refusal();
                if (refusal != null) {
                    LOG.log(
                            Level.WARNING,
                            "WEFT-PEER-REFUSED decode rank {0}:{1} is refused: {2}",
                            registration.host(),
                            Integer.toString(registration.port()),
                            refusal.getMessage());
                }
            }
            case TransferMetadata metadata -> onMetadata(metadata);
            case RoomAbort abort -> onAbort(abort);
            case RoomStatus status -> throw new IllegalStateException("status at a prefill rank: " + status.room());
            case AuxData aux -> throw new IllegalStateException("aux data at a prefill rank: " + aux.room());
        }
    }

    /** Only ranks that registered can take part in a room; strangers are answered and change nothing. */
    private void onMetadata(TransferMetadata metadata) {
        Part part = new Part(metadata);
        DecodePeers.Entry peer = peers.find(metadata.engineKey()).orElse(null);
        RoomFailure reason = stranger(metadata, peer);
        if (reason == null) {
            reason = rooms.lateFor(metadata.room(), part.generation(), metadata.requiredPeers());
        }
        if (reason != null) {
            rejections.add("metadata: " + reason.code());
            runner.refuse(part, reason);
            return;
        }
        PrefillRoom room = rooms.forMetadata(metadata.room(), metadata.engineKey(), part.generation());
        if (room == null) {
            rejections.add("metadata: too many rooms without a sender");
            runner.refuse(
                    part,
                    new RoomFailure(
                            ErrorCode.RESOURCE_EXHAUSTED,
                            "this prefill rank has " + rooms.pending()
                                    + " announced rooms without a sender (weft.kv.pending.rooms); send again later"));
            return;
        }
        runner.run(room, room.onMetadata(metadata, nanoClock.getAsLong()));
        WeftException refusal = peer == null ? null : peer.refusal();
        if (refusal != null) {
            runner.run(room, room.fail(new RoomFailure(refusal.code(), String.valueOf(refusal.getMessage()))));
        }
    }

    private @Nullable RoomFailure stranger(TransferMetadata metadata, DecodePeers.@Nullable Entry peer) {
        long target = metadata.extras().target();
        if (target != 0 && target != epoch) {
            return new RoomFailure(
                    ErrorCode.STALE_DESCRIPTOR,
                    "this prefill rank restarted: the message was meant for its previous incarnation");
        }
        return peer != null
                ? null
                : new RoomFailure(ErrorCode.NOT_REGISTERED, "Peer info missing for engine " + metadata.engineKey());
    }

    private void onAbort(RoomAbort abort) {
        String key = abort.extras().engineKey();
        if (key.isEmpty()) {
            key = peers.keyAt(new NetworkAddress(abort.host(), abort.port())).orElse("");
        }
        Part aborter = Part.of(abort, key);
        boolean endedLately = rooms.endedLately(abort.room(), aborter.generation());
        List<PrefillRoom> meant = new ArrayList<>(rooms.draining(abort.room()));
        PrefillRoom live = rooms.live(abort.room());
        if (live != null) {
            meant.add(live);
        } else if (meant.isEmpty() && !endedLately) {
            PrefillRoom early = rooms.forAbort(abort.room());
            if (early != null) {
                meant.add(early);
            }
        }
        rooms.gaveUp(abort.room(), aborter.generation());
        boolean answered = false;
        for (PrefillRoom room : meant) {
            if (room.isMeantBy(aborter, endedLately)) {
                answered = true;
                runner.run(room, room.onAbort(abort, aborter));
            }
        }
        if (!answered && aborter.isWeft()) {
            runner.refuse(
                    aborter,
                    new RoomFailure(ErrorCode.CANCELLED, "nothing of this room is in flight at this prefill rank"));
        }
    }

    private void onEnded(PrefillRoom room) {
        bytes.add(room.bytes());
        RoomFailure reason = room.failure();
        if (reason == null) {
            succeeded.increment();
        } else {
            failed.increment();
            rooms.failed(room);
            failures.add(room.id(), room.peers(), reason);
        }
        if (RoomEvent.isRecorded()) {
            RoomEvent.ended(
                    "prefill", room.id(), room.status().name(), reason == null ? "" : reason.reason(), room.bytes());
        }
    }

    private void tick() {
        long now = nanoClock.getAsLong();
        for (PrefillRoom room : rooms.live()) {
            if (!room.status().isTerminal()) {
                runner.run(room, room.checkDeadline(now));
            }
        }
        rooms.expire();
    }

    private boolean isAuxByMessage(Part part, boolean lastStage, boolean fabric) {
        return part.metadata().auxIndex() >= 0
                && peers.find(part.metadata().engineKey())
                        .map(DecodePeers.Entry::peer)
                        .filter(peer -> lastStage || peer.isStageLocal())
                        .filter(peer -> !(fabric && peer.hasSameAux()))
                        .isPresent();
    }

    private Shard shard(long room) {
        return shards.get(RankMapping.shard(room, shards.size()));
    }

    private ControlEndpoint opened(String name, String host, KvSettings settings) {
        try {
            return new ControlEndpoint(name, host, Duration.ofNanos(settings.graceNanos()), nanoClock, this);
        } catch (WeftException refused) {
            buffers.close();
            throw refused;
        }
    }

    private static int uniqueRank(RankConfig config) {
        return RankMapping.uniqueRank(
                config.layout().tpRank(),
                config.layout().ppRank(),
                config.layout().cpRank(),
                config.layout().ppSize(),
                config.layout().cpSize());
    }
}
