package io.weft.kv.internal.decode;

import io.weft.api.Access;
import io.weft.api.ErrorCode;
import io.weft.api.TransferEngine;
import io.weft.api.WeftException;
import io.weft.engine.Descriptors;
import io.weft.kv.KvReceiver;
import io.weft.kv.KvSettings;
import io.weft.kv.KvStats;
import io.weft.kv.RankConfig;
import io.weft.kv.RankDirectory;
import io.weft.kv.internal.endpoint.ControlEndpoint;
import io.weft.kv.internal.endpoint.EndpointEvents;
import io.weft.kv.internal.memory.AuxRows;
import io.weft.kv.internal.memory.LocalBuffers;
import io.weft.kv.internal.memory.PageLedger;
import io.weft.kv.internal.memory.Wanted;
import io.weft.kv.internal.room.RankTimer;
import io.weft.kv.internal.room.RejectionLog;
import io.weft.kv.internal.room.RoomFailure;
import io.weft.kv.internal.room.RoomFailures;
import io.weft.kv.layout.StateSpec;
import io.weft.kv.wire.AuxData;
import io.weft.kv.wire.Decoded;
import io.weft.kv.wire.Extras;
import io.weft.kv.wire.KvCodec;
import io.weft.kv.wire.KvMessage;
import io.weft.kv.wire.NetworkAddress;
import io.weft.kv.wire.PeerRegistration;
import io.weft.kv.wire.Receiver;
import io.weft.kv.wire.RoomAbort;
import io.weft.kv.wire.RoomStatus;
import io.weft.kv.wire.TransferMetadata;
import io.weft.telemetry.RoomView;
import io.weft.telemetry.jfr.RoomEvent;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;

/** Puts a decode rank together: buffers, ledger, endpoint, prefill instances, rooms and the clock that looks at deadlines. */
public final class DecodeCore implements EndpointEvents, AutoCloseable {
    private static final Logger LOG = System.getLogger(DecodeCore.class.getName());

    private final TransferEngine engine;
    private final RankConfig config;
    private final KvSettings settings;
    private final LongSupplier nanoClock;

    private final LocalBuffers buffers;
    private final List<AuxRows> auxRows;
    private final PageLedger ledger;
    private final ControlEndpoint endpoint;
    private final PrefillInstances instances;
    private final Lookup lookup;
    private final Heartbeat heartbeat;
    private final DecodeRooms rooms;
    private final Extras identity;
    private final Fence fence;
    private final RejectionLog rejections;
    private final RoomFailures failures;
    private final RankTimer timer;
    private final ExecutorService blocking;
    private final LongAdder succeeded = new LongAdder();
    private final LongAdder failed = new LongAdder();

    /**
     * Registers the buffers, binds the endpoint and starts the threads.
     *
     * @param name what threads and logs are called after
     * @param engine the engine
     * @param config the rank
     * @param settings the options
     * @param directory finds prefill ranks
     * @param host control address
     * @param epoch this rank's incarnation
     * @param nanoClock monotonic time
     */
    public DecodeCore(
            String name,
            TransferEngine engine,
            RankConfig config,
            KvSettings settings,
            RankDirectory directory,
            String host,
            long epoch,
            LongSupplier nanoClock) {
        this.engine = engine;
        this.config = config;
        this.settings = settings;
        this.nanoClock = nanoClock;
        rejections = new RejectionLog(LOG, name);
        failures = new RoomFailures(engine.descriptor().key(), "decode");
        buffers = new LocalBuffers(engine, config.args(), EnumSet.of(Access.LOCAL_WRITE, Access.REMOTE_WRITE));
        auxRows = IntStream.range(0, buffers.aux().size())
                .mapToObj(buffers::auxRows)
                .toList();
        ledger = new PageLedger(config.args());
        endpoint = opened(name, host);
        identity = Extras.from(epoch, engine.descriptor().key());
        Duration bound = Duration.ofNanos(settings.fenceNanos());
        fence = key -> key.isEmpty() ? engine.fenceAll(bound) : engine.fence(key, bound);
        instances = new PrefillInstances(
                directory, config, settings.allCpRanks(), settings.forceDpQuery(), this::register, endpoint::isFailing);
        lookup = new Lookup(instances, Duration.ofSeconds(1));
        heartbeat = new Heartbeat(directory, settings.heartbeatFailures(), this::onRegistryLost);
        rooms = new DecodeRooms(
                new DecodeRoom.Limits(
                        settings.bootstrapNanos(),
                        settings.waitingNanos(),
                        settings.drainNanos(),
                        settings.quarantineNanos()),
                ledger,
                nanoClock);
        blocking = Executors.newThreadPerTaskExecutor(
                Thread.ofVirtual().name(name + "-lookup-", 0).factory());
        timer = new RankTimer(name + "-timer");
        timer.every(settings.tickNanos(), () -> rooms.all().forEach(this::checkDeadline));
        timer.every(settings.heartbeatNanos(), this::beat);
        endpoint.start();
    }

    /**
     * Where prefill ranks reach this one.
     *
     * @return host and port
     */
    public NetworkAddress address() {
        return endpoint.address();
    }

    /**
     * Makes the receiver of a room.
     *
     * @param registry registry of the prefill instance as {@code host:port}
     * @param room the room, unsigned
     * @return the receiver
     * @throws WeftException INVALID_ARGUMENT if the room has one
     */
    public KvReceiver open(String registry, long room) {
        return new RoomReceiver(rooms.open(registry, room), this);
    }

    /**
     * Counts and table sizes.
     *
     * @return a snapshot
     */
    public KvStats stats() {
        Map<String, Integer> tables = new TreeMap<>();
        tables.put("rooms", rooms.size());
        tables.put("drainingRooms", rooms.drainingCount());
        tables.put("leasedPages", ledger.leasedPages());
        tables.put("prefillInstances", instances.size());
        tables.put("sockets", endpoint.openSockets());
        return new KvStats(
                succeeded.sum(),
                failed.sum(),
                0,
                rejections.count(),
                endpoint.dropped(),
                0,
                rooms.unreleased(),
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
        return rooms.all().stream()
                .map(room -> room.view(now))
                .sorted(Comparator.comparingLong(RoomView::ageNanos).reversed())
                .limit(most)
                .toList();
    }

    @Override
    public void onMessage(List<byte[]> frames) {
        try {
            switch (KvCodec.decode(Receiver.DECODE, frames)) {
                case Decoded.Rejected rejected -> rejections.add(rejected.text());
                case Decoded.Accepted accepted -> dispatch(accepted.message());
            }
        } catch (RuntimeException defect) {
            // The receiving thread serves every prefill rank: one message must not end it.
            LOG.log(Level.ERROR, "WEFT-DEFECT defect while handling a control message", defect);
        }
    }

    @Override
    public void onUnreachable(NetworkAddress address, String why) {
        instances.forgetAt(address);
        RoomFailure lost =
                new RoomFailure(ErrorCode.PEER_LOST, "prefill rank " + address + " cannot be reached: " + why);
        for (DecodeRoom room : rooms.live()) {
            if (!room.status().isTerminal() && room.involves(address)) {
                fail(room, lost);
            }
        }
    }

    /** Open rooms wait out the grace period, but a new room asks the registry: a rank that was replaced has a new address. */
    @Override
    public void onDisconnected(NetworkAddress address) {
        instances.forgetAt(address);
    }

    /** Fails what is open, tells the prefill ranks, ends the threads and deregisters the buffers. Bounded; idempotent. */
    @Override
    public void close() {
        RoomFailure closed = new RoomFailure(ErrorCode.CLOSED, "this decode rank was closed while the room was open");
        rooms.live().forEach(room -> fail(room, closed));
        timer.close();
        blocking.shutdownNow();
        endpoint.close();
        buffers.close();
    }

    void lookUp(DecodeRoom room, int dpRank) {
        submit(() -> {
            try {
                switch (lookup.run(room, dpRank)) {
                    case Lookup.Result.Found found -> run(room, room.resolved(found.instance(), nanoClock.getAsLong()));
                    case Lookup.Result.Failed failure -> fail(room, failure.reason());
                }
            } catch (InterruptedException closing) {
                Thread.currentThread().interrupt();
            } catch (RuntimeException defect) {
                // A look-up that dies must end its room with the cause.
                fail(room, new RoomFailure(ErrorCode.INTERNAL, "look-up of the prefill ranks failed: " + defect));
            }
        });
    }

    void want(DecodeRoom room, Wanted wanted, int prefixTokens) {
        ledger.lease(wanted);
        DecodeActions actions;
        try {
            actions = room.want(wanted, prefixTokens, nanoClock.getAsLong());
        } catch (WeftException second) {
            ledger.release(wanted);
            throw second;
        }
        run(room, actions);
    }

    void fail(DecodeRoom room, RoomFailure reason) {
        run(room, room.fail(reason, nanoClock.getAsLong()));
    }

    void checkDeadline(DecodeRoom room) {
        run(room, room.checkDeadline(nanoClock.getAsLong()));
    }

    void clear(DecodeRoom room) {
        rooms.clear(room);
    }

    private void dispatch(KvMessage message) {
        switch (message) {
            case RoomStatus status -> onStatus(status);
            case AuxData aux -> onAux(aux);
            case PeerRegistration _, TransferMetadata _, RoomAbort _ ->
                throw new IllegalStateException("message of a decode rank at a decode rank");
        }
    }

    private void onStatus(RoomStatus message) {
        boolean known = message.status() == RoomStatus.SUCCESS || message.status() == RoomStatus.FAILED;
        DecodeRoom room = rooms.find(message.room(), message.extras().generation());
        if (!known || room == null || room.verdict(message) == DecodeRoom.Verdict.FOREIGN) {
            rejections.add(known ? "status of no open room or of a rank that does not count" : "unknown status code");
            return;
        }
        run(room, room.onStatus(message, nanoClock.getAsLong()));
    }

    private void onAux(AuxData message) {
        DecodeRoom room = rooms.find(message.room(), message.extras().generation());
        if (room == null || !room.acceptsAux(message)) {
            rejections.add("aux data of no open room or for a row that it does not hold");
            return;
        }
        run(room, room.onAux(message, auxRows, nanoClock.getAsLong()));
    }

    /** Carries out what a room decided, without its lock. */
    private void run(DecodeRoom room, DecodeActions actions) {
        if (actions.wantsMetadata()) {
            sendMetadata(room);
        }
        for (PrefillRank rank : actions.aborts()) {
            endpoint.send(
                    rank.address(),
                    new RoomAbort(room.id(), address().host(), address().port(), extras(room, rank)));
        }
        PrefillInstance instance = room.instance();
        if (actions.forgetsInstance() && instance != null) {
            instances.forget(instance.registry());
        }
        if (actions.hasEnded()) {
            RoomFailure reason = room.failure();
            (reason == null ? succeeded : failed).increment();
            if (reason != null) {
                failures.add(room.id(), room.peers(), reason);
            }
            if (RoomEvent.isRecorded()) {
                RoomEvent.ended("decode", room.id(), room.status().name(), reason == null ? "" : reason.reason(), 0);
            }
        }
        if (actions.hasLeaseMoved()) {
            room.lease().announce();
            rooms.released(room);
        }
        actions.fences().forEach(writer -> fence(room, writer));
    }

    private void fence(DecodeRoom room, Writers.Writer writer) {
        submit(() -> {
            boolean confirmed = false;
            try {
                confirmed = fence.confirm(writer.engineKey());
            } finally {
                run(room, room.fenced(writer, confirmed, nanoClock.getAsLong()));
            }
        });
    }

    private void sendMetadata(DecodeRoom room) {
        PrefillInstance instance = room.instance();
        Wanted wanted = room.wanted();
        if (instance == null || wanted == null) {
            throw new IllegalStateException("metadata of an unready room");
        }
        for (PrefillRank rank : instance.ranks()) {
            endpoint.send(rank.address(), metadata(room, instance, wanted, rank));
        }
    }

    /** An older dummy takes a prefix for a sign that it is not one, so it is not told. */
    private TransferMetadata metadata(DecodeRoom room, PrefillInstance instance, Wanted wanted, PrefillRank rank) {
        boolean dummy = rank.dummy();
        return new TransferMetadata(
                room.id(),
                address().host(),
                address().port(),
                identity.engineKey(),
                dummy ? new int[0] : wanted.pages(),
                dummy ? -1 : wanted.auxRow(),
                dummy ? new int[0][] : wanted.state(),
                instance.requiredPeers(),
                dummy && !rank.isWeft() ? 0 : room.prefixTokens(),
                extras(room, rank).withDummy(dummy).withTraceparent(dummy ? "" : room.traceparent()));
    }

    private void register(PrefillInstance instance) {
        PeerRegistration registration = new PeerRegistration(
                address().host(),
                address().port(),
                Descriptors.pack(engine.descriptor()),
                LocalBuffers.packed(buffers.kv()),
                LocalBuffers.packed(buffers.aux()),
                buffers.state().stream().map(LocalBuffers::packed).toList(),
                config.args().gpuId(),
                config.layout().tpSize(),
                config.args().engineRank(),
                config.args().kv().getFirst().itemLen(),
                config.args().state().stream().map(StateSpec::itemLens).toArray(long[][]::new),
                config.args().state().stream().map(StateSpec::dimArray).toArray(long[][]::new),
                identity.withLayout(config.peerLayout()));
        instance.ranks().forEach(rank -> endpoint.send(rank.address(), registration));
    }

    private Extras extras(DecodeRoom room, PrefillRank rank) {
        return identity.withRoom(room.generation(), rank.found().epoch());
    }

    private void onRegistryLost(String registry, String why) {
        instances.forget(registry);
        RoomFailure lost = new RoomFailure(
                ErrorCode.PEER_LOST,
                "Losing connection with prefill instance (bootstrap_addr: " + registry + "): " + why);
        for (DecodeRoom room : rooms.live()) {
            if (!room.status().isTerminal() && room.registry().equals(registry)) {
                fail(room, lost);
            }
        }
    }

    private void beat() {
        heartbeat.keepOnly(instances.registries());
        instances.registries().forEach(registry -> submit(() -> heartbeat.ask(registry)));
    }

    private void submit(Runnable task) {
        try {
            blocking.execute(task);
        } catch (RejectedExecutionException closing) {
            LOG.log(Level.DEBUG, "not done, because the rank is closing");
        }
    }

    private ControlEndpoint opened(String name, String host) {
        try {
            return new ControlEndpoint(name, host, Duration.ofNanos(settings.graceNanos()), nanoClock, this);
        } catch (WeftException refused) {
            buffers.close();
            throw refused;
        }
    }
}
