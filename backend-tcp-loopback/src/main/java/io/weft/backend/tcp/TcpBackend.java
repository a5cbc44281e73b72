package io.weft.backend.tcp;

import io.weft.api.ErrorCode;
import io.weft.api.MemoryDescriptor;
import io.weft.api.WeftException;
import io.weft.spi.Backend;
import io.weft.spi.BackendContext;
import io.weft.spi.Capabilities;
import io.weft.spi.Capabilities.Enforcement;
import io.weft.spi.Limits;
import io.weft.spi.Link;
import io.weft.spi.LinkEvents;
import io.weft.spi.LocalMemory;
import io.weft.spi.MemorySpec;
import io.weft.spi.Peer;
import io.weft.spi.PeerRequests;
import io.weft.spi.ProgressModel;
import io.weft.spi.RemoteMemory;
import io.weft.spi.Visibility;
import io.weft.spi.WireClaim;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** The backend: regions, reactors, links in both directions. Thread-safe. */
final class TcpBackend implements Backend, WireClaim, PeerRequests {
    static final Duration QUIESCE = Duration.ofSeconds(1);
    /** Connections that have not shown yet whose they are. */
    private static final int MOST_STRANGERS = 1_024;

    private final BackendContext context;
    private final TcpSettings settings;
    private final Counters counters;
    private final SlabPool slabs = new SlabPool();
    private final RegionTable regions = new RegionTable();
    private final InboundLinks inboundLinks;
    private final LinkDialler dialler;
    private final V3Sessions v3;
    private final List<Reactor> reactors = new ArrayList<>();
    private final Set<Link> links = ConcurrentHashMap.newKeySet();
    private final AtomicInteger nextReactor = new AtomicInteger();
    private final AtomicInteger strangers = new AtomicInteger();
    private volatile boolean closed;

    private TcpBackend(BackendContext context) {
        this.context = context;
        this.settings = TcpSettings.of(context.options());
        this.counters = Counters.of(context.metrics());
        this.inboundLinks = new InboundLinks(context.clock(), settings);
        this.dialler = new LinkDialler(this);
        this.v3 = new V3Sessions(this);
    }

    static TcpBackend open(BackendContext context) {
        TcpBackend backend = new TcpBackend(context);
        try {
            for (int i = 0; i < backend.settings.reactors(); i++) {
                backend.reactors.add(
                        new Reactor(context.threads(), context.clock(), backend.settings.spinNanos(), backend.slabs));
            }
        } catch (IOException failed) {
            backend.close(context.clock().nanos() + QUIESCE.toNanos());
            throw new WeftException(
                    ErrorCode.RESOURCE_EXHAUSTED,
                    "backend tcp cannot open a selector: " + failed.getMessage() + "; raise the limit of open files",
                    failed);
        }
        context.metrics().gauge("regions", backend.regions::size);
        context.metrics().gauge("links", backend.links::size);
        context.serve(backend);
        return backend;
    }

    BackendContext context() {
        return context;
    }

    TcpSettings settings() {
        return settings;
    }

    Counters counters() {
        return counters;
    }

    SlabPool slabs() {
        return slabs;
    }

    RegionTable regions() {
        return regions;
    }

    InboundLinks inboundLinks() {
        return inboundLinks;
    }

    V3Sessions v3() {
        return v3;
    }

    Reactor nextReactor() {
        return reactors.get(Math.floorMod(nextReactor.getAndIncrement(), reactors.size()));
    }

    @Override
    public Capabilities capabilities() {
        return Capabilities.builder()
                .supportsHost(Visibility.COMPLETION)
                .progress(ProgressModel.OWN_THREADS, false)
                .enforcement(Enforcement.TARGET)
                .quiesceTime(QUIESCE)
                .speaksToPlainPeers()
                .vendor("lanes", Integer.toString(settings.lanes()))
                .vendor("lane-protocol", Integer.toString(LaneWire.VERSION))
                .build();
    }

    @Override
    public Limits limits() {
        return Limits.NONE.withOperationsInFlight(settings.operations()).withSegmentsPerOperation(Extents.KEEP);
    }

    @Override
    public byte[] localAddress() {
        return new byte[] {LaneWire.VERSION};
    }

    @Override
    public LocalMemory register(MemorySpec spec) {
        checkOpen();
        var memory = spec.segment()
                .orElseThrow(() -> new WeftException(
                        ErrorCode.UNSUPPORTED,
                        "backend tcp cannot register " + spec.location() + ": it moves host memory only"));
        Region region = new Region(spec, memory);
        regions.add(region);
        return region;
    }

    @Override
    public boolean deregister(LocalMemory memory, long deadlineNanos) {
        Region region = (Region) memory;
        region.retire();
        regions.remove(region);
        return barrier(deadlineNanos);
    }

    /** Waits until everything that reactors began before has ended. */
    boolean barrier(long deadlineNanos) {
        v3.barrier();
        boolean passed = true;
        for (Reactor reactor : reactors) {
            passed &= reactor.barrier(deadlineNanos);
        }
        return passed;
    }

    @Override
    public byte[] exportKey(Peer peer, LocalMemory memory) {
        return new byte[0];
    }

    @Override
    public RemoteMemory importKey(Peer peer, MemoryDescriptor descriptor, byte[] key) {
        return new Remote(descriptor);
    }

    @Override
    public Link connect(Peer peer, LinkEvents events, long deadlineNanos) {
        checkOpen();
        Link link;
        if (peer.isPlain()) {
            link = v3.connect(peer, events, deadlineNanos);
            links.add(link);
        } else {
            TcpLink lanes = dialler.dial(peer, events, deadlineNanos);
            links.add(lanes);
            lanes.start();
            link = lanes;
        }
        if (closed) {
            link.close();
            checkOpen();
        }
        return link;
    }

    void forget(Link link) {
        links.remove(link);
    }

    @Override
    public boolean fencePeer(Peer peer, long deadlineNanos) {
        inboundLinks.cutOff(peer);
        if (peer.isPlain()) {
            v3.cutOff(peer);
        }
        return barrier(deadlineNanos);
    }

    @Override
    public byte[] onCall(Peer peer, byte[] request) {
        checkOpen();
        return inboundLinks.offer(peer, LaneGreeting.Open.decode(request)).encode();
    }

    @Override
    public void onMessage(Peer peer, byte[] message) {
        counters.malformed().add(1);
    }

    @Override
    public Answer claims(ByteBuffer firstBytes) {
        if (firstBytes.remaining() < Integer.BYTES) {
            return Answer.NEED_MORE;
        }
        int magic = firstBytes.getInt(firstBytes.position());
        return magic == LaneWire.MAGIC || magic == V3.CONTROL_MAGIC ? Answer.MINE : Answer.NOT_MINE;
    }

    @Override
    public void accept(SocketChannel channel, ByteBuffer alreadyRead) {
        if (closed || strangers.incrementAndGet() > MOST_STRANGERS) {
            strangers.decrementAndGet();
            counters.strangers().add(1);
            Sockets.closeQuietly(channel);
            return;
        }
        Reactor reactor = nextReactor();
        boolean running = reactor.execute(() -> {
            try {
                Sockets.configure(channel, settings);
                Greeter.greet(this, channel, reactor, alreadyRead);
            } catch (IOException | RuntimeException failed) {
                greeted();
                Sockets.closeQuietly(channel);
            }
        });
        if (!running) {
            greeted();
            Sockets.closeQuietly(channel);
        }
    }

    /** A connection is no stranger any more. */
    void greeted() {
        strangers.decrementAndGet();
    }

    @Override
    public String describeNative(long nativeCode) {
        if (nativeCode > V3Initiator.MORI_NATIVE && nativeCode < V3Initiator.MORI_NATIVE + 100) {
            return "MORI-IO status " + (nativeCode - V3Initiator.MORI_NATIVE);
        }
        Refusal refusal =
                nativeCode > 0 && nativeCode < Integer.MAX_VALUE ? Refusal.of((int) nativeCode) : Refusal.NONE;
        return refusal == Refusal.NONE ? "native code " + nativeCode : refusal.name() + ": " + refusal.text();
    }

    @Override
    public void close(long deadlineNanos) {
        closed = true;
        boolean quiet = true;
        for (Link link : links) {
            quiet &= link.fence(deadlineNanos);
        }
        inboundLinks.cutOffAll();
        v3.cutOffAll();
        for (Reactor reactor : reactors) {
            quiet &= reactor.stop(deadlineNanos);
        }
        if (!quiet) {
            throw new WeftException(
                    ErrorCode.INTERNAL, "backend tcp could not stop its reactor threads in time; they still run");
        }
        slabs.close();
    }

    private void checkOpen() {
        if (closed) {
            throw new WeftException(ErrorCode.CLOSED, "backend tcp is closed");
        }
    }
}
