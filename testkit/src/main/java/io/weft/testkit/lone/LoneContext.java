package io.weft.testkit.lone;

import io.weft.api.ErrorCode;
import io.weft.api.MemoryKind;
import io.weft.api.WeftException;
import io.weft.spi.Backend;
import io.weft.spi.BackendContext;
import io.weft.spi.BackendProvider;
import io.weft.spi.DeviceMemory;
import io.weft.spi.EngineClock;
import io.weft.spi.InboundSink;
import io.weft.spi.Metrics;
import io.weft.spi.OptionValues;
import io.weft.spi.Peer;
import io.weft.spi.PeerDirectory;
import io.weft.spi.PeerRequests;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A context without an engine. Contexts made with the same {@link Neighbourhood} know each other as peers. Safe from any thread.
 */
public final class LoneContext implements BackendContext {
    /** The contexts that can reach each other. Safe from any thread. */
    public static final class Neighbourhood {
        final Map<String, LoneContext> byKey = new ConcurrentHashMap<>();
        final AtomicLong incarnations = new AtomicLong(1);

        /** Starts empty. */
        public Neighbourhood() {}
    }

    /**
     * One inbound end.
     *
     * @param peerKey the initiator
     * @param transferId its id
     * @param code 0 or an error number
     * @param text why it failed
     */
    public record Inbound(String peerKey, long transferId, int code, String text) {}

    private final Neighbourhood neighbourhood;
    private final String key;
    private final long incarnation;
    private final OptionValues options;
    private final RecordedCompletions completions = new RecordedCompletions();
    private final List<Inbound> inbound = new CopyOnWriteArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private volatile @Nullable PeerRequests requests;
    private volatile @Nullable Backend backend;
    private volatile int port;
    private volatile boolean admitsPlain;

    private LoneContext(Neighbourhood neighbourhood, String key, OptionValues options) {
        this.neighbourhood = neighbourhood;
        this.key = key;
        this.incarnation = neighbourhood.incarnations.getAndIncrement();
        this.options = options;
    }

    /**
     * Makes a context and opens a backend in it.
     *
     * @param neighbourhood whom it can reach
     * @param key its wire key; an older context of that key is replaced, as by a restart
     * @param provider what to open
     * @param given option values by key
     * @return the context, whose {@link #backend} is open
     */
    public static LoneContext open(
            Neighbourhood neighbourhood, String key, BackendProvider provider, Map<String, String> given) {
        LoneContext context = new LoneContext(neighbourhood, key, new LoneOptions(provider.options(), given));
        context.backend = provider.open(context);
        neighbourhood.byKey.put(key, context);
        return context;
    }

    /**
     * The backend.
     *
     * @return the open backend
     */
    public Backend backend() {
        Backend open = backend;
        if (open == null) {
            throw new IllegalStateException("backend asked for while it is being opened");
        }
        return open;
    }

    /**
     * Says where this context's engine would listen, for backends that dial it.
     *
     * @param value a TCP port
     */
    public void port(int value) {
        port = value;
    }

    /** From now on takes the others for plain MORI-IO engines, and admits those. */
    public void admitPlain() {
        admitsPlain = true;
    }

    /**
     * Another context as a peer of this one.
     *
     * @param other the other, also this one itself
     * @return the peer
     */
    public Peer peer(LoneContext other) {
        return new LonePeer(this, other);
    }

    @Override
    public RecordedCompletions completions() {
        return completions;
    }

    /**
     * What the backend reported as target.
     *
     * @return a live, safe list
     */
    public List<Inbound> inboundEnds() {
        return inbound;
    }

    /**
     * Threads that the backend made and that still run.
     *
     * @return their names; must be empty after close
     */
    public List<String> liveThreads() {
        synchronized (threads) {
            return threads.stream().filter(Thread::isAlive).map(Thread::getName).toList();
        }
    }

    int port() {
        return port;
    }

    PeerRequests requests() {
        PeerRequests served = requests;
        if (served == null) {
            throw new WeftException(ErrorCode.UNSUPPORTED, "the backend of " + key + " serves no peer requests");
        }
        return served;
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
        return "127.0.0.1";
    }

    @Override
    public OptionValues options() {
        return options;
    }

    @Override
    public InboundSink inbound() {
        return (peer, id, code, text) -> inbound.add(new Inbound(peer.key(), id, code, text));
    }

    @Override
    public PeerDirectory peers() {
        return new PeerDirectory() {
            @Override
            public Optional<Peer> find(String wanted) {
                return Optional.ofNullable(neighbourhood.byKey.get(wanted))
                        .filter(other -> !admitsPlain || other == LoneContext.this)
                        .map(LoneContext.this::peer);
            }

            @Override
            public Peer admitPlain(String wanted, String remoteAddress) {
                if (!admitsPlain) {
                    throw new WeftException(ErrorCode.AUTHENTICATION, "plain peer " + wanted + " is not listed");
                }
                return new PlainPeer(wanted, remoteAddress, 0);
            }
        };
    }

    @Override
    public void serve(PeerRequests server) {
        if (requests != null) {
            throw new IllegalStateException("serve called twice");
        }
        requests = server;
    }

    @Override
    public ThreadFactory threads() {
        return task -> {
            Thread thread = new Thread(task);
            thread.setDaemon(true);
            synchronized (threads) {
                thread.setName("weft-" + key + "-" + threads.size());
                threads.add(thread);
            }
            return thread;
        };
    }

    @Override
    public EngineClock clock() {
        return EngineClock.SYSTEM;
    }

    @Override
    public Metrics metrics() {
        return Metrics.NONE;
    }

    @Override
    public Optional<DeviceMemory> deviceMemory(MemoryKind kind) {
        return Optional.empty();
    }
}
