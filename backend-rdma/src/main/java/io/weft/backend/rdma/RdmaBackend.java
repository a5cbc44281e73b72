package io.weft.backend.rdma;

import io.weft.api.ErrorCode;
import io.weft.api.MemoryDescriptor;
import io.weft.api.MemoryKind;
import io.weft.api.WeftException;
import io.weft.backend.rdma.mori.AskMemoryRegion;
import io.weft.backend.rdma.mori.ControlFrame;
import io.weft.backend.rdma.mori.ControlServer;
import io.weft.backend.rdma.mori.RegEndpoint;
import io.weft.backend.rdma.verbs.Ibv;
import io.weft.backend.rdma.verbs.VerbsException;
import io.weft.spi.Backend;
import io.weft.spi.BackendContext;
import io.weft.spi.Capabilities;
import io.weft.spi.CompletionSink;
import io.weft.spi.EngineClock;
import io.weft.spi.Limits;
import io.weft.spi.Link;
import io.weft.spi.LinkEvents;
import io.weft.spi.LocalMemory;
import io.weft.spi.MemorySpec;
import io.weft.spi.Peer;
import io.weft.spi.ProgressModel;
import io.weft.spi.ProgressSource;
import io.weft.spi.RemoteMemory;
import io.weft.spi.Visibility;
import io.weft.spi.WireClaim;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** One RDMA device, opened for one engine. Thread-safe. */
final class RdmaBackend implements Backend, WireClaim {
    static final System.Logger LOG = System.getLogger("io.weft.backend.rdma");
    private static final long LARGEST_SEGMENT = 1L << 24;
    private static final int OPERATIONS = 64;
    static final Duration QUIESCE = Duration.ofSeconds(2);

    private final BackendContext context;
    private final RdmaDevice device;
    private final Sysfs sysfs;
    private final RdmaSource source;
    private final RdmaTargets targets;
    private final PlainPeers plainPeers;
    private final ControlServer plainServer;
    private final RdmaConnector connector;
    private final Capabilities capabilities;
    private final Limits limits;
    private final Set<RdmaLink> links = ConcurrentHashMap.newKeySet();
    private final Map<Integer, Region> regions = new ConcurrentHashMap<>();
    private volatile boolean deviceFatal;
    private boolean closed;

    RdmaBackend(BackendContext context, RdmaDevice device, Sysfs sysfs) throws VerbsException {
        this.context = context;
        this.device = device;
        this.sysfs = sysfs;
        source = new RdmaSource(device, this::onEvent);
        targets = new RdmaTargets(device, context.options());
        plainPeers = new PlainPeers(context, device, source, regions::get);
        plainServer = new ControlServer(plainPeers, context.clock());
        connector = new RdmaConnector(this, plainPeers, context.options());
        long largest = Math.min(LARGEST_SEGMENT, Math.max(1, device.port().maxMessageBytes()));
        long depth = Math.min(
                context.options().integer(RdmaOptions.DEPTH), device.facts().maxQpWr());
        limits = Limits.NONE
                .withSegmentsPerOperation((int) Math.min(
                        context.options().integer(RdmaOptions.SEGMENTS), Math.max(1, depth - RdmaLink.EXTRA_REQUESTS)))
                .withSegmentBytes(largest)
                .withOperationBytes(LARGEST_SEGMENT)
                .withOperationsInFlight(OPERATIONS)
                .withRegions(
                        device.facts().maxMr(),
                        device.facts().maxMrBytes() > 0 ? device.facts().maxMrBytes() : Long.MAX_VALUE);
        capabilities = Capabilities.builder()
                .supportsHost(Visibility.FLUSH)
                .progress(ProgressModel.POLLABLE, false)
                .enforcement(Capabilities.Enforcement.TARGET)
                .quiesceTime(QUIESCE)
                .speaksToPlainPeers()
                .announces()
                .vendor("device", device.name())
                .vendor("firmware", device.facts().firmware())
                .vendor("gid-index", Integer.toString(device.gidIndex()))
                .vendor("mtu", Integer.toString(device.port().mtuBytes()))
                .build();
        context.serve(targets);
    }

    RdmaDevice device() {
        return device;
    }

    RdmaSource source() {
        return source;
    }

    CompletionSink completions() {
        return context.completions();
    }

    String engineKey() {
        return context.engineKey();
    }

    EngineClock clock() {
        return context.clock();
    }

    @Override
    public Capabilities capabilities() {
        return capabilities;
    }

    @Override
    public Limits limits() {
        return limits;
    }

    @Override
    public byte[] localAddress() {
        return new byte[0];
    }

    @Override
    public LocalMemory register(MemorySpec spec) {
        if (!spec.location().kind().equals(MemoryKind.HOST) && spec.dmaBuf().isEmpty()) {
            throw new WeftException(
                    ErrorCode.UNSUPPORTED,
                    "rdma: memory of kind " + spec.location().kind()
                            + " without a dma-buf cannot be registered, only host memory; core stages other kinds");
        }
        Region region = Region.register(device, sysfs, spec, context.options().bool(RdmaOptions.RELAXED_ORDERING));
        regions.put(spec.regionId(), region);
        return region;
    }

    @Override
    public boolean deregister(LocalMemory memory, long deadlineNanos) {
        Region region = (Region) memory;
        try {
            regions.remove(region.spec().regionId(), region);
            device.ibv().deregMr(region.mr());
            return true;
        } catch (VerbsException refused) {
            regions.put(region.spec().regionId(), region); // close tries again
            complain("deregistering " + region.spec().length() + " bytes", refused);
            return false;
        }
    }

    @Override
    public byte[] exportKey(Peer peer, LocalMemory memory) {
        return RemoteRegion.export((Region) memory);
    }

    @Override
    public RemoteMemory importKey(Peer peer, MemoryDescriptor descriptor, byte[] key) {
        return peer.isPlain() ? connector.importPlain(peer, descriptor) : RemoteRegion.of(descriptor, key);
    }

    /** A port that is down may come up again, and core replays until then; a device that failed does not. */
    private void onEvent(Ibv.AsyncEvent event) {
        ErrorCode code = event.type() == Ibv.AsyncEvent.DEVICE_FATAL ? ErrorCode.FABRIC : ErrorCode.PEER_LOST;
        String what = switch (event.type()) {
            case Ibv.AsyncEvent.DEVICE_FATAL -> "the device reported a fatal error (IBV_EVENT_DEVICE_FATAL)";
            case Ibv.AsyncEvent.PORT_ERR ->
                event.element() == device.port().number() ? "the port went down (IBV_EVENT_PORT_ERR)" : "";
            case Ibv.AsyncEvent.CQ_ERR -> "the completion queue failed (IBV_EVENT_CQ_ERR)";
            case Ibv.AsyncEvent.QP_FATAL -> "the queue pair failed (IBV_EVENT_QP_FATAL)";
            default -> "";
        };
        if (!what.isEmpty()) {
            deviceFatal |= event.type() == Ibv.AsyncEvent.DEVICE_FATAL;
            LOG.log(System.Logger.Level.WARNING, "WEFT-DEVICE rdma: {0}: {1}", device.name(), what);
            links.forEach(link -> link.onEvent(event, code, what));
        }
    }

    @Override
    public Link connect(Peer peer, LinkEvents events, long deadlineNanos) {
        if (deviceFatal) {
            throw new WeftException(
                    ErrorCode.FABRIC,
                    "rdma: " + device.name()
                            + " reported a fatal error and is not used any more; see dmesg, reset it, and"
                            + " start the engine again");
        }
        RdmaLink link = connector.connect(peer, events, deadlineNanos);
        links.add(link);
        source.add(link);
        return link;
    }

    void forget(RdmaLink link) {
        links.remove(link);
    }

    @Override
    public boolean fencePeer(Peer peer, long deadlineNanos) {
        if (!peer.isPlain()) {
            return targets.fence(peer);
        }
        boolean cut = plainPeers.fence(peer, deadlineNanos);
        for (RdmaLink link : links) {
            cut &= !link.leadsTo(peer) || link.cutOff(deadlineNanos);
        }
        return cut;
    }

    @Override
    public Answer claims(ByteBuffer firstBytes) {
        if (!firstBytes.hasRemaining()) {
            return Answer.NEED_MORE;
        }
        int at = firstBytes.position();
        if (firstBytes.get(at) > AskMemoryRegion.TYPE || firstBytes.get(at) < RegEndpoint.TYPE) {
            return Answer.NOT_MINE;
        }
        return firstBytes.remaining() < ControlFrame.HEADER_BYTES ? Answer.NEED_MORE : Answer.MINE;
    }

    @Override
    public void accept(SocketChannel channel, ByteBuffer alreadyRead) {
        plainServer.accept(channel, alreadyRead);
    }

    @Override
    public List<ProgressSource> progressSources() {
        return List.of(source);
    }

    @Override
    public String describeNative(long nativeCode) {
        return WcStatus.describe(nativeCode);
    }

    void complain(String what, @Nullable Throwable why) {
        if (why == null) {
            LOG.log(System.Logger.Level.WARNING, "WEFT-TEARDOWN rdma: {0} failed", what);
        } else {
            LOG.log(System.Logger.Level.WARNING, "WEFT-TEARDOWN rdma: " + what + " failed", why);
        }
    }

    @Override
    public synchronized void close(long deadlineNanos) {
        if (closed) {
            return;
        }
        for (RdmaLink link : links) {
            if (!link.fence(deadlineNanos)) {
                throw new WeftException(ErrorCode.INTERNAL, "rdma: closing: a link is still inside a native call");
            }
        }
        if (!plainServer.close(deadlineNanos)) {
            throw new WeftException(
                    ErrorCode.INTERNAL, "rdma: closing: a MORI-IO engine's request is still being answered");
        }
        if (!source.stop(clock(), deadlineNanos)) {
            throw new WeftException(ErrorCode.INTERNAL, "rdma: closing: the progress thread is still inside");
        }
        try {
            targets.close();
            if (!plainPeers.close(deadlineNanos)) {
                throw new WeftException(ErrorCode.INTERNAL, "rdma: closing: an inbox is still being polled");
            }
            for (Region region : regions.values()) {
                device.ibv().deregMr(region.mr());
            }
            regions.clear();
            device.close();
            source.close();
            closed = true;
        } catch (VerbsException refused) {
            throw new WeftException(
                    ErrorCode.INTERNAL, "rdma: closing: " + refused.getMessage(), refused.errno(), refused);
        }
    }
}
