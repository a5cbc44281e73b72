package io.weft.backend.tcp;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weft.api.Access;
import io.weft.api.ErrorCode;
import io.weft.api.MemoryDescriptor;
import io.weft.api.MemoryKind;
import io.weft.api.MemoryLocation;
import io.weft.api.WeftException;
import io.weft.spi.BackendContext;
import io.weft.spi.CompletionSink;
import io.weft.spi.DeviceMemory;
import io.weft.spi.EngineClock;
import io.weft.spi.InboundSink;
import io.weft.spi.MemorySpec;
import io.weft.spi.Metrics;
import io.weft.spi.OptionValues;
import io.weft.spi.Peer;
import io.weft.spi.PeerDirectory;
import io.weft.spi.PeerRequests;
import io.weft.testkit.lone.PlainPeer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * Just enough of an engine for one backend: a listening port that hands claimed connections over, peers that know each other
 * inside the process, completions that can be awaited.
 */
final class FakeEngine implements BackendContext, PeerDirectory, AutoCloseable {
    /** The end of an operation. */
    record Completion(int code, long nativeCode) {}

    /** The end of an inbound transfer. */
    record Inbound(String peer, long transferId, int code, String text) {}

    private static final AtomicInteger REGION_IDS = new AtomicInteger(0x7ffffff0);
    private static final AtomicInteger INCARNATIONS = new AtomicInteger(1);

    final String key;
    final Arena arena = Arena.ofShared();
    final TcpBackend backend;
    final Awaited completions = new Awaited();
    final List<Inbound> inbounds = new CopyOnWriteArrayList<>();
    final List<Thread> threads = new CopyOnWriteArrayList<>();
    final Map<String, LongAdder> counters = new ConcurrentHashMap<>();
    final Map<String, Peer> known = new ConcurrentHashMap<>();
    volatile String secret = "";
    volatile boolean admitPlain = true;

    private final long incarnation = INCARNATIONS.getAndIncrement();
    private final OptionValues options;
    private final ServerSocketChannel server;
    private final Thread acceptor;
    private PeerRequests requests;

    FakeEngine(String key, String... options) {
        this.key = key;
        this.options = new FakeOptions(options);
        try {
            server = ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 512);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        backend = TcpBackend.open(this);
        acceptor = Thread.ofVirtual().start(this::acceptAll);
    }

    /** Awaits completions by token. */
    static final class Awaited implements CompletionSink {
        private final Map<Long, CompletableFuture<Completion>> byToken = new ConcurrentHashMap<>();
        final AtomicInteger twice = new AtomicInteger();

        @Override
        public void complete(long[] tokens, int[] codes, long[] nativeCodes, int count) {
            for (int i = 0; i < count; i++) {
                complete(tokens[i], codes[i], nativeCodes[i]);
            }
        }

        @Override
        public void complete(long token, int code, long nativeCode) {
            if (!of(token).complete(new Completion(code, nativeCode))) {
                twice.incrementAndGet();
            }
        }

        CompletableFuture<Completion> of(long token) {
            return byToken.computeIfAbsent(token, t -> new CompletableFuture<>());
        }
    }

    private void acceptAll() {
        while (true) {
            try {
                SocketChannel channel = server.accept();
                Thread.ofVirtual().start(() -> sniff(channel));
            } catch (ClosedChannelException closed) {
                return;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private void sniff(SocketChannel channel) {
        ByteBuffer first = ByteBuffer.allocate(32);
        try {
            while (true) {
                if (channel.read(first) < 0) {
                    channel.close();
                    return;
                }
                switch (backend.claims(first.duplicate().flip().asReadOnlyBuffer())) {
                    case MINE -> {
                        channel.configureBlocking(false);
                        backend.accept(channel, first.flip());
                        return;
                    }
                    case NOT_MINE -> {
                        channel.close();
                        return;
                    }
                    case NEED_MORE -> {}
                }
            }
        } catch (IOException e) {
            Sockets.closeQuietly(channel);
        }
    }

    int port() {
        try {
            return ((InetSocketAddress) server.getLocalAddress()).getPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The other engine as this one sees it; both then know each other. */
    Peer meet(FakeEngine other) {
        Peer peer = new FakePeer(this, other);
        known.put(other.key, peer);
        other.known.put(key, new FakePeer(other, this));
        return peer;
    }

    Region allocate(long bytes) {
        return register(arena.allocate(bytes, 64), Access.ALL);
    }

    Region register(MemorySegment memory, Set<Access> access) {
        return (Region) backend.register(new FakeSpec(REGION_IDS.getAndIncrement(), memory, access));
    }

    /** What another engine learns of a region. */
    Remote describe(Region region) {
        return new Remote(MemoryDescriptor.builder()
                .engineKey(key)
                .id(region.spec().regionId())
                .range(region.spec().address(), region.length())
                .location(1)
                .build());
    }

    private record FakeSpec(int regionId, MemorySegment memory, Set<Access> access) implements MemorySpec {
        @Override
        public long address() {
            return memory.address();
        }

        @Override
        public long length() {
            return memory.byteSize();
        }

        @Override
        public MemoryLocation location() {
            return MemoryLocation.HOST;
        }

        @Override
        public Optional<MemorySegment> segment() {
            return Optional.of(memory);
        }
    }

    private record FakePeer(FakeEngine self, FakeEngine other) implements Peer {
        @Override
        public String key() {
            return other.key;
        }

        @Override
        public long incarnation() {
            return other.incarnation;
        }

        @Override
        public boolean isPlain() {
            return false;
        }

        @Override
        public String host() {
            return InetAddress.getLoopbackAddress().getHostAddress();
        }

        @Override
        public int port() {
            return other.port();
        }

        @Override
        public byte[] address() {
            return other.backend.localAddress();
        }

        @Override
        public CompletableFuture<byte[]> call(byte[] request, long deadlineNanos) {
            return CompletableFuture.supplyAsync(() -> other.requests.onCall(new FakePeer(other, self), request));
        }

        @Override
        public boolean send(byte[] message) {
            other.requests.onMessage(new FakePeer(other, self), message);
            return true;
        }

        @Override
        public byte[] prove(byte[] context) {
            return self.secret.isEmpty() ? new byte[0] : hash(self.secret, context);
        }

        @Override
        public boolean verify(byte[] context, byte[] proof) {
            return self.secret.isEmpty() || MessageDigest.isEqual(proof, hash(self.secret, context));
        }

        private static byte[] hash(String secret, byte[] context) {
            try {
                MessageDigest digest = MessageDigest.getInstance("SHA-256");
                digest.update(secret.getBytes(UTF_8));
                return digest.digest(context);
            } catch (NoSuchAlgorithmException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    @Override
    public Optional<Peer> find(String peerKey) {
        return Optional.ofNullable(known.get(peerKey));
    }

    @Override
    public Peer admitPlain(String peerKey, String remoteAddress) {
        if (!admitPlain) {
            throw new WeftException(ErrorCode.AUTHENTICATION, "not listed");
        }
        return known.computeIfAbsent(peerKey, k -> new PlainPeer(k, remoteAddress, 0));
    }

    @Override
    public String engineKey() {
        return key;
    }

    @Override
    public long incarnation() {
        return incarnation;
    }

    @Override
    public String advertisedHost() {
        return InetAddress.getLoopbackAddress().getHostAddress();
    }

    @Override
    public OptionValues options() {
        return options;
    }

    @Override
    public CompletionSink completions() {
        return completions;
    }

    @Override
    public InboundSink inbound() {
        return (peer, transferId, code, text) -> inbounds.add(new Inbound(peer.key(), transferId, code, text));
    }

    @Override
    public PeerDirectory peers() {
        return this;
    }

    @Override
    public void serve(PeerRequests server) {
        requests = server;
    }

    @Override
    public ThreadFactory threads() {
        return task -> {
            Thread thread = Thread.ofPlatform()
                    .daemon()
                    .name("tcp-" + key + "-" + threads.size())
                    .unstarted(task);
            threads.add(thread);
            return thread;
        };
    }

    @Override
    public EngineClock clock() {
        return EngineClock.SYSTEM;
    }

    @Override
    public Metrics metrics() {
        return new Metrics() {
            @Override
            public Counter counter(String name) {
                return counters.computeIfAbsent(name, n -> new LongAdder())::add;
            }

            @Override
            public void gauge(String name, java.util.function.LongSupplier value) {}
        };
    }

    @Override
    public Optional<DeviceMemory> deviceMemory(MemoryKind kind) {
        return Optional.empty();
    }

    long count(String counter) {
        return counters.get(counter).sum();
    }

    List<Thread> liveThreads() {
        List<Thread> live = new ArrayList<>(threads);
        live.removeIf(thread -> !thread.isAlive());
        return live;
    }

    @Override
    public void close() {
        try {
            server.close();
            acceptor.join();
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
        backend.close(System.nanoTime() + 5_000_000_000L);
        arena.close();
    }
}
