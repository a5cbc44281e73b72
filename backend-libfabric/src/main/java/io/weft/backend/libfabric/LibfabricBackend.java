package io.weft.backend.libfabric;

import io.weft.api.ErrorCode;
import io.weft.api.MemoryDescriptor;
import io.weft.api.MemoryKind;
import io.weft.api.WeftException;
import io.weft.backend.libfabric.ofi.Fi;
import io.weft.backend.libfabric.ofi.Ofi;
import io.weft.backend.libfabric.ofi.OfiException;
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
import io.weft.spi.OperationKind;
import io.weft.spi.Peer;
import io.weft.spi.PeerRequests;
import io.weft.spi.ProgressModel;
import io.weft.spi.ProgressSource;
import io.weft.spi.RemoteMemory;
import io.weft.spi.Visibility;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * One domain of one libfabric provider, opened for one engine. Thread-safe.
 *
 * <p>Targets are reached through an endpoint per peer ({@link TargetEndpoints}), initiators post on one per peer
 * ({@link LibfabricLink}): closing either is the fence of that side and disturbs no other peer.
 */
final class LibfabricBackend implements Backend {
    static final System.Logger LOG = System.getLogger("io.weft.backend.libfabric");
    private static final Duration QUIESCE = Duration.ofSeconds(2);

    private final BackendContext context;
    private final OpenedFabric fabric;
    private final FabricSource source;
    private final TargetEndpoints targets;
    private final Connector connector;
    private final Capabilities capabilities;
    private final Limits limits;
    private final int window;
    private final Set<LibfabricLink> links = ConcurrentHashMap.newKeySet();
    private final Set<TargetWatch> watches = ConcurrentHashMap.newKeySet();
    private final Set<Region> regions = ConcurrentHashMap.newKeySet();
    private boolean closed;

    LibfabricBackend(BackendContext context, OpenedFabric fabric) {
        this.context = context;
        this.fabric = fabric;
        source = new FabricSource(fabric);
        targets = new TargetEndpoints(
                fabric, source, context, (int) context.options().integer(LibfabricOptions.MAX_PEERS));
        window = fabric.traits().window(context.options().integer(LibfabricOptions.WINDOW));
        limits = limitsOf(fabric, context);
        capabilities = capabilitiesOf(fabric);
        connector = new Connector(this);
        context.serve(new Requests());
    }

    /** What peers ask for and tell, as initiators and as targets. */
    private final class Requests implements PeerRequests {
        @Override
        public byte[] onCall(Peer peer, byte[] request) {
            return targets.onCall(peer, request);
        }

        @Override
        public void onMessage(Peer peer, byte[] message) {
            if (!Greeting.isGone(message)) {
                targets.onClose(peer, Greeting.Close.decode(message).id());
                return;
            }
            long id = Greeting.Gone.decode(message).id();
            for (TargetWatch watch : watches) {
                if (watch.isOf(peer)) {
                    watch.gone(id);
                }
            }
            source.wakeup();
        }
    }

    /** Begins to listen to what a peer tells of its endpoints, until {@link #unwatch}. */
    TargetWatch watch(Peer peer) {
        TargetWatch watch = new TargetWatch(peer);
        watches.add(watch);
        return watch;
    }

    void unwatch(TargetWatch watch) {
        watches.remove(watch);
    }

    private static Limits limitsOf(OpenedFabric fabric, BackendContext context) {
        var facts = fabric.traits().facts();
        long most = context.options().bytes(LibfabricOptions.MAX_OPERATION);
        long message = facts.maxMessageBytes();
        long bytes = message > 0 ? Math.min(most, message) : most;
        long count = facts.mrCount();
        return Limits.NONE
                .withSegmentsPerOperation((int) context.options().integer(LibfabricOptions.SEGMENTS))
                .withSegmentBytes(bytes)
                .withOperationBytes(bytes)
                .withOperationsInFlight((int) context.options().integer(LibfabricOptions.OPERATIONS))
                .withRegions(count > 0 && count < Integer.MAX_VALUE ? (int) count : Integer.MAX_VALUE, Long.MAX_VALUE);
    }

    private static Capabilities capabilitiesOf(OpenedFabric fabric) {
        ProviderTraits traits = fabric.traits();
        var facts = traits.facts();
        Visibility toHost = traits.needsFlush() ? Visibility.FLUSH : Visibility.COMPLETION;
        Capabilities.Builder builder = Capabilities.builder().supportsHost(toHost);
        for (MemoryKind kind : fabric.hmem().kinds()) {
            for (MemoryKind other : List.of(MemoryKind.HOST, kind)) {
                builder.supports(OperationKind.WRITE, other, kind, Visibility.TARGET_FLUSH)
                        .supports(OperationKind.READ, kind, other, Visibility.TARGET_FLUSH);
            }
            builder.supports(OperationKind.WRITE, kind, MemoryKind.HOST, toHost)
                    .supports(OperationKind.READ, MemoryKind.HOST, kind, toHost)
                    .vendor("registers-" + kind, fabric.hmem().way(kind));
        }
        fabric.hmem().refusals().forEach((kind, why) -> builder.vendor("direct-" + kind, why));
        return builder.progress(fabric.waits() ? ProgressModel.POLLABLE : ProgressModel.POLL_ONLY, true)
                .enforcement(traits.enforcement())
                .quiesceTime(QUIESCE)
                .vendor("provider", facts.provider())
                .vendor("fabric", facts.fabric())
                .vendor("domain", facts.domain())
                .vendor("library", Ofi.text(fabric.ofi().runtimeVersion()))
                .vendor("mr-mode", "0x" + Integer.toHexString(facts.mrMode()))
                .vendor("segments-per-message", Integer.toString(traits.segmentsPerMessage()))
                .build();
    }

    OpenedFabric fabric() {
        return fabric;
    }

    FabricSource source() {
        return source;
    }

    CompletionSink completions() {
        return context.completions();
    }

    EngineClock clock() {
        return context.clock();
    }

    int window() {
        return window;
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
        return new Greeting.Address(
                        fabric.traits().facts().provider(),
                        fabric.traits().facts().fabric())
                .encode();
    }

    @Override
    public LocalMemory register(MemorySpec spec) {
        MemoryKind kind = spec.location().kind();
        if (!kind.isHost() && !fabric.hmem().kinds().contains(kind)) {
            throw new WeftException(
                    ErrorCode.UNSUPPORTED,
                    "libfabric: memory of kind " + kind + " cannot be registered; core stages it");
        }
        Region region = Region.register(fabric, spec);
        regions.add(region);
        return region;
    }

    @Override
    public boolean deregister(LocalMemory memory, long deadlineNanos) {
        Region region = (Region) memory;
        try {
            targets.unregister(region);
            region.mr().close();
            regions.remove(region);
            return true;
        } catch (OfiException refused) {
            complain("deregistering " + region.spec().length() + " bytes", refused);
            return false;
        }
    }

    @Override
    public byte[] exportKey(Peer peer, LocalMemory memory) {
        Region region = (Region) memory;
        try {
            var mr = fabric.traits().facts().needs(Fi.MR_ENDPOINT) ? targets.registerFor(peer, region) : region.mr();
            return Region.keyOf(fabric, mr, region.spec().address()).encode();
        } catch (OfiException failed) {
            throw new WeftException(
                    NativeCodes.ofRegistration(failed.errno()),
                    "libfabric: making a key for " + peer.key() + ": " + failed.getMessage(),
                    failed.errno(),
                    failed);
        }
    }

    @Override
    public RemoteMemory importKey(Peer peer, MemoryDescriptor descriptor, byte[] bytes) {
        RegionKey key = RegionKey.decode(bytes);
        if (key.raw() != fabric.traits().facts().needs(Fi.MR_RAW)) {
            throw new WeftException(
                    ErrorCode.INCOMPATIBLE,
                    "libfabric: " + peer.key() + (key.raw() ? " uses raw keys" : " uses plain keys")
                            + " and this side does not");
        }
        return connector.importKey(descriptor, key);
    }

    @Override
    public void releaseKey(RemoteMemory memory) {
        RemoteRegion region = (RemoteRegion) memory;
        if (region.mapped()) {
            try {
                fabric.domain().unmapKey(region.key());
            } catch (OfiException refused) {
                complain("giving a peer's key back", refused);
            }
        }
    }

    @Override
    public Link connect(Peer peer, LinkEvents events, long deadlineNanos) {
        LibfabricLink link = connector.connect(peer, events, deadlineNanos);
        links.add(link);
        source.add(link);
        return link;
    }

    void forget(LibfabricLink link) {
        links.remove(link);
    }

    @Override
    public boolean fencePeer(Peer peer, long deadlineNanos) {
        return targets.fence(peer, deadlineNanos);
    }

    @Override
    public List<ProgressSource> progressSources() {
        return List.of(source);
    }

    @Override
    public String describeNative(long nativeCode) {
        return NativeCodes.describe(fabric.ofi(), nativeCode);
    }

    void complain(String what, @Nullable Throwable why) {
        if (why == null) {
            LOG.log(System.Logger.Level.WARNING, "WEFT-TEARDOWN libfabric: {0} was not finished in time", what);
        } else {
            LOG.log(System.Logger.Level.WARNING, "WEFT-TEARDOWN libfabric: " + what + " failed", why);
        }
    }

    @Override
    public synchronized void close(long deadlineNanos) {
        if (closed) {
            return;
        }
        String left = "";
        try {
            for (LibfabricLink link : links) {
                if (!link.fence(deadlineNanos)) {
                    left = "a link";
                }
            }
            if (!targets.close(deadlineNanos)) {
                left = "an endpoint of a peer";
            }
            for (Region region : regions) {
                region.mr().close();
            }
            regions.clear();
            if (left.isEmpty() && !source.stop(clock(), deadlineNanos)) {
                left = "the progress thread";
            }
            if (left.isEmpty()) {
                fabric.close();
                source.close();
                closed = true;
                return;
            }
        } catch (OfiException refused) {
            throw new WeftException(
                    ErrorCode.INTERNAL, "libfabric: closing: " + refused.getMessage(), refused.errno(), refused);
        }
        throw new WeftException(ErrorCode.INTERNAL, "libfabric: closing: " + left + " is still inside a native call");
    }
}
