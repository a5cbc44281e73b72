package io.weft.engine.internal;

import io.weft.api.EngineDescriptor;
import io.weft.api.InboundTransfer;
import io.weft.api.RoutePolicy;
import io.weft.api.TransferEngine;
import io.weft.config.EngineOptions;
import io.weft.config.OptionGroup;
import io.weft.discovery.Installation;
import io.weft.engine.Descriptors;
import io.weft.engine.NodeMarker;
import io.weft.engine.WireVersion;
import io.weft.engine.internal.backend.BackendEnvironment;
import io.weft.engine.internal.backend.Counters;
import io.weft.engine.internal.backend.OpenBackend;
import io.weft.engine.internal.concurrent.ControlThreads;
import io.weft.engine.internal.concurrent.EngineThreads;
import io.weft.engine.internal.control.ControlAddress;
import io.weft.engine.internal.control.ControlPlane;
import io.weft.engine.internal.control.Hello;
import io.weft.engine.internal.device.Copies;
import io.weft.engine.internal.device.DeviceMemories;
import io.weft.engine.internal.inbound.InboundEnds;
import io.weft.engine.internal.inbound.NotificationQueue;
import io.weft.engine.internal.memory.RegionTable;
import io.weft.engine.internal.peer.ControlService;
import io.weft.engine.internal.peer.GateWatch;
import io.weft.engine.internal.peer.PeerServices;
import io.weft.engine.internal.peer.PeerTable;
import io.weft.engine.internal.peer.StagingBound;
import io.weft.engine.internal.peer.Tally;
import io.weft.engine.internal.peer.TransferPlan;
import io.weft.engine.internal.route.Router;
import io.weft.engine.internal.segment.PlanPool;
import io.weft.engine.internal.settings.EngineSettings;
import io.weft.engine.internal.submit.Submitter;
import io.weft.engine.internal.time.TimerWheel;
import io.weft.engine.internal.transfer.Callbacks;
import io.weft.spi.EngineClock;
import io.weft.spi.InboundSink;
import io.weft.spi.OptionValues;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Puts an engine together and opens it. Used once, by one thread. */
public final class EngineAssembly {
    private static final Logger LOG = System.getLogger(EngineAssembly.class.getName());
    /** A process may open many engines; one warning is enough. As many texts as the catalogue has aliases. */
    private static final Set<String> WARNED = ConcurrentHashMap.newKeySet();

    private static final SecureRandom RANDOM = new SecureRandom();
    private static final long GIVE_UP_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final EngineRequest request;
    private final Installation installation;
    private final OptionValues options;
    private final EngineSettings settings;
    private final EngineClock clock;
    private final long incarnation;
    private final String key;
    private final EngineThreads threads;
    private final ControlThreads control;
    private final TimerWheel timers;
    private final DeviceMemories devices;
    private final Callbacks callbacks;
    private final NotificationQueue notifications;
    private final InboundEnds ends;
    private final PeerTable peers = new PeerTable();
    /** What the engine counts beside its backends: connections, sessions, refusals. */
    private final Counters metrics = new Counters();

    private EngineAssembly(EngineRequest request) {
        this.request = request;
        List<OptionGroup> components = new ArrayList<>(request.components());
        components.add(EngineOptions.GROUP);
        Installation found = Installation.load(request.discovery(), request.sources(), components);
        found.configuration().orThrow();
        found.configuration().warnings().stream()
                .filter(WARNED::add)
                .forEach(text -> LOG.log(Level.WARNING, "WEFT-OPTION " + text));
        installation = found.probed();
        options = installation.configuration().values(EngineOptions.GROUP);
        settings = EngineOptionsReader.read(options);
        clock = request.clock();
        incarnation = drawIncarnation();
        String name = EngineOptionsReader.name(options);
        key = EngineOptionsReader.exactKey(options) ? name : Descriptors.wireKey(name, incarnation);
        threads = new EngineThreads(name);
        control = new ControlThreads(threads.named("control"));
        devices = new DeviceMemories(installation.deviceMemories());
        timers = new TimerWheel(clock, threads.named("timer"));
        callbacks = new Callbacks(executor(request.executor(), name), control);
        notifications = new NotificationQueue(clock, settings.notifications(), settings.notificationNanos(), callbacks);
        ends = new InboundEnds(clock, settings.notifications(), settings.notificationNanos());
    }

    /**
     * Opens an engine. Blocks while backends are probed and opened, bounded.
     *
     * @param request what is asked for
     * @return the engine
     * @throws io.weft.api.WeftException with what was wrong; nothing is left behind then
     */
    public static TransferEngine open(EngineRequest request) {
        return new EngineAssembly(request).open();
    }

    private static long drawIncarnation() {
        long drawn;
        do {
            drawn = RANDOM.nextLong();
        } while (drawn == 0);
        return drawn;
    }

    private static Executor executor(@Nullable Executor given, String name) {
        return given != null
                ? given
                : task -> Thread.ofVirtual().name("weft-" + name + "-callback").start(task);
    }

    private TransferEngine open() {
        ControlPlane plane = request.plane().make(options, clock, metrics);
        BackendOpener opener = new BackendOpener(
                installation, environment(plane.advertisedHost()), EngineOptionsReader.openNanos(options));
        try {
            opener.openAll();
            return assemble(plane, opener);
        } catch (RuntimeException | Error failed) {
            giveUp(plane, opener);
            throw failed;
        }
    }

    private BackendEnvironment environment(String advertisedHost) {
        InboundSink sink = (peer, id, code, text) -> {
            // Between Weft engines the initiator tells, since only it knows a transfer's end from an operation's.
            if (peer.isPlain()) {
                ends.add(new InboundTransfer(peer.key(), id, code, text));
            }
        };
        return new BackendEnvironment(
                key,
                incarnation,
                advertisedHost,
                clock,
                threads,
                index -> peers.directory(index, this::plainRefusal),
                sink,
                devices::find);
    }

    private String plainRefusal(String peerKey) {
        return EngineOptionsReader.hasSecret(options)
                        && !EngineOptionsReader.plainPeers(options).contains(peerKey)
                ? "plain MORI-IO engine " + peerKey + " connected and a secret is set; add its key to"
                        + " weft.plain.peers if it is to be trusted without one"
                : "";
    }

    private TransferEngine assemble(ControlPlane plane, BackendOpener opener) {
        List<OpenBackend> backends = opener.opened();
        RegionTable regions = new RegionTable(
                key, RANDOM.nextInt(), backends, devices, peers, clock, Duration.ofNanos(settings.deregisterNanos()));
        Router router = new Router(backends, opener.unopened(), settings.order(), settings.strictTrust());
        PeerServices services = new PeerServices(
                key,
                settings,
                clock,
                timers,
                control,
                new GateWatch(threads.named("gate")),
                plane,
                backends,
                router,
                regions,
                new Copies(devices, threads.named("copy")),
                new StagingBound(settings.stagingBytes()),
                new PlanPool<>(TransferPlan::new),
                callbacks,
                new Tally());
        peers.start(services);
        Hello hello = new Hello(
                key,
                incarnation,
                WireVersion.MAJOR,
                WireVersion.MINOR,
                backends.stream().map(OpenBackend::hello).toList());
        ControlAddress address = plane.start(new ControlService(
                hello, backends, regions, peers, peers.directory(0, this::plainRefusal), notifications, ends, clock));
        EngineDescriptor descriptor = describe(address);
        peers.add(descriptor);
        EngineLife life = new EngineLife(key);
        EngineParts parts = new EngineParts(
                descriptor,
                services,
                peers,
                new Submitter(services, peers, life::refusal),
                notifications,
                ends,
                devices,
                threads,
                life,
                metrics);
        new StallWatch(parts).start();
        return new EngineImpl(parts);
    }

    private EngineDescriptor describe(ControlAddress address) {
        String node = new NodeMarker(
                        NodeMarker.localNode(EngineOptionsReader.nodeId(options)),
                        WireVersion.MAJOR,
                        WireVersion.MINOR,
                        incarnation)
                .format();
        return new EngineDescriptor(key, node, HostName.get(), address.host(), address.port(), (int)
                ProcessHandle.current().pid());
    }

    private void giveUp(ControlPlane plane, BackendOpener opener) {
        long deadline = clock.nanos() + GIVE_UP_NANOS;
        plane.close(deadline);
        opener.closeAll(deadline);
        devices.close().forEach(text -> LOG.log(Level.ERROR, "WEFT-LEFT-BEHIND " + text));
        try {
            timers.close(GIVE_UP_NANOS);
            control.close(GIVE_UP_NANOS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Reads the policy's word. */
    static RoutePolicy policy(String word) {
        return RoutePolicy.valueOf(word.toUpperCase(Locale.ROOT));
    }
}
