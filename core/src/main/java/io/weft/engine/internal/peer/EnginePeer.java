package io.weft.engine.internal.peer;

import io.weft.api.EngineDescriptor;
import io.weft.api.ErrorCode;
import io.weft.api.MemoryDescriptor;
import io.weft.api.MemoryKind;
import io.weft.api.PeerState;
import io.weft.api.TransferState;
import io.weft.engine.internal.backend.OpenBackend;
import io.weft.engine.internal.concurrent.Mail;
import io.weft.engine.internal.concurrent.Turn;
import io.weft.engine.internal.control.ControlSession;
import io.weft.engine.internal.memory.LocalRegion;
import io.weft.engine.internal.route.RoutePeer;
import io.weft.spi.Peer;
import io.weft.spi.RemoteMemory;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One incarnation of a peer. Public methods are safe from any thread and do not block unless said; the rest is in the turn.
 */
public final class EnginePeer extends Turn {
    private final PeerServices services;
    private final String key;
    private final long incarnation;
    private final boolean plain;
    private final String remoteAddress;
    private final Runnable whenGone;
    private final RemoteRegions remoteRegions;
    private final BackendPeer[] views;
    private final Admission admission;
    private final PeerAccess access;
    private final PeerWatch watch;
    private volatile @Nullable EngineDescriptor descriptor;
    private volatile @Nullable ControlSession sharedSession;
    private volatile PeerState sharedState = PeerState.KNOWN;

    private final Asides asides;
    private final Alarm alarm;
    private final TransferFlow flow;
    private final PeerSessions sessions;
    private final PeerKeys keys;
    private final PeerRoutes routes;
    private final Farewell farewell;
    private final PeerStaging staging;
    private final InboundStaging inboundStaging;
    private final @Nullable PeerLink[] linkByBackend;
    private final List<PeerLink> links = new ArrayList<>();

    /**
     * Makes a peer that nothing is connected to.
     *
     * @param services what all peers share
     * @param key wire key
     * @param incarnation 0 for plain peers
     * @param descriptor where it listens, null if it only ever connected by itself
     * @param remoteAddress where a plain peer connected from, else empty
     * @param whenGone called in the turn when its session ended and it was cut off
     */
    public EnginePeer(
            PeerServices services,
            String key,
            long incarnation,
            @Nullable EngineDescriptor descriptor,
            String remoteAddress,
            Consumer<EnginePeer> whenGone) {
        super(services.control());
        this.services = services;
        this.key = key;
        this.incarnation = incarnation;
        this.plain = incarnation == 0;
        this.descriptor = descriptor;
        this.remoteAddress = remoteAddress;
        this.whenGone = () -> whenGone.accept(this);
        this.remoteRegions = new RemoteRegions(services.backends().size());
        this.views = new BackendPeer[services.backends().size()];
        for (OpenBackend backend : services.backends()) {
            views[backend.index()] = new BackendPeer(this, backend);
        }
        this.admission = new Admission(services.settings());
        this.access = new PeerAccess(this);
        this.watch = new PeerWatch(this);
        this.asides = new Asides(this);
        this.alarm = new Alarm(this);
        this.linkByBackend = new PeerLink[views.length];
        this.flow = new TransferFlow(this);
        this.sessions = new PeerSessions(this);
        this.keys = new PeerKeys(this);
        this.routes = new PeerRoutes(this);
        this.farewell = new Farewell(this);
        this.staging = new PeerStaging(this);
        this.inboundStaging = new InboundStaging(this);
    }

    // ---- any thread ----

    /**
     * Who it is.
     *
     * @return the wire key
     */
    public String key() {
        return key;
    }

    /**
     * Which incarnation.
     *
     * @return 0 for plain peers
     */
    public long incarnation() {
        return incarnation;
    }

    /**
     * Whether it is a plain MORI-IO engine.
     *
     * @return true without Weft's marker
     */
    public boolean isPlain() {
        return plain;
    }

    /**
     * Where it listens.
     *
     * @return its descriptor, null if it was never added
     */
    public @Nullable EngineDescriptor descriptor() {
        return descriptor;
    }

    /**
     * The application adds a peer that connected by itself before.
     *
     * @param added its descriptor
     */
    public void describe(EngineDescriptor added) {
        descriptor = added;
    }

    String remoteAddress() {
        return remoteAddress;
    }

    PeerServices services() {
        return services;
    }

    /**
     * What is known of it.
     *
     * @return the state
     */
    public PeerState state() {
        return sharedState;
    }

    /** The session, as far as another thread can know. */
    @Nullable
    ControlSession sharedSession() {
        return sharedSession;
    }

    /**
     * The peer as a backend sees it.
     *
     * @param backend an open backend
     * @return the same object each time
     */
    public Peer view(OpenBackend backend) {
        return views[backend.index()];
    }

    /**
     * A region of the peer.
     *
     * @param region its descriptor
     * @param kind its memory kind
     * @return what is known of it
     */
    public RemoteRegion remoteRegion(MemoryDescriptor region, MemoryKind kind) {
        return remoteRegions.get(region, kind);
    }

    /**
     * Room for transfers to it.
     *
     * @return safe from any thread
     */
    public Admission admission() {
        return admission;
    }

    /**
     * What it may reach here.
     *
     * @return safe from any thread
     */
    public PeerAccess access() {
        return access;
    }

    /**
     * Who looks at it.
     *
     * @return safe from any thread
     */
    public PeerWatch watch() {
        return watch;
    }

    RemoteRegions remoteRegions() {
        return remoteRegions;
    }

    InboundStaging inboundStaging() {
        return inboundStaging;
    }

    /**
     * A session with it began.
     *
     * @param session the session
     */
    public void sessionOpened(ControlSession session) {
        send(Mail.of(() -> sessions.opened(session)));
    }

    /**
     * A session's liveness changed.
     *
     * @param session the session
     */
    public void sessionLiveness(ControlSession session) {
        send(Mail.of(() -> sessions.liveness(session)));
    }

    /**
     * A session ended.
     *
     * @param session the session
     * @param code why
     * @param text what happened
     */
    public void sessionClosed(ControlSession session, ErrorCode code, String text) {
        try {
            services.control().execute(() -> inboundStaging.release(session));
        } catch (RejectedExecutionException closing) {
            inboundStaging.release(session);
        }
        send(Mail.of(() -> sessions.closed(session, code, text)));
    }

    /**
     * The peer takes one of its regions back.
     *
     * @param regionId the region
     * @param patienceNanos how long transfers that have begun may go on, a value of the clock
     * @return completes when nothing here uses the region
     */
    public CompletableFuture<Void> regionRevoked(int regionId, long patienceNanos) {
        CompletableFuture<Void> unused = new CompletableFuture<>();
        send(Mail.of(() -> farewell.regionRevoked(regionId, patienceNanos, unused)));
        return unused;
    }

    /**
     * Ends the control session. What the peer has under way in it ends with it there, and without a session none of its links
     * is let in: otherwise the peer would post again over a rebuilt link what a fence kept out.
     *
     * @param why told to the peer
     * @return completes when the session is over here
     */
    public CompletableFuture<Void> expel(String why) {
        CompletableFuture<Void> expelled = new CompletableFuture<>();
        send(Mail.of(() -> {
            sessions.expel(why);
            expelled.complete(null);
        }));
        return expelled;
    }

    /**
     * Tells when no live transfer uses a local region.
     *
     * @param region the region, closing
     * @return completes then
     */
    public CompletableFuture<Void> unused(LocalRegion region) {
        return whenNone(t -> t.plan != null && t.plan.uses(region));
    }

    /**
     * Tells when no transfer is live.
     *
     * @return completes then
     */
    public CompletableFuture<Void> idle() {
        return whenNone(t -> true);
    }

    private CompletableFuture<Void> whenNone(Predicate<PeerTransfer> which) {
        CompletableFuture<Void> clear = new CompletableFuture<>();
        send(Mail.of(() -> flow.whenNone(which, clear)));
        return clear;
    }

    /**
     * Cancels transfers that use a local region.
     *
     * @param region the region
     * @param text why
     */
    public void cancelUses(LocalRegion region, String text) {
        send(Mail.of(() -> flow.endAll(
                t -> t.plan != null && t.plan.uses(region), TransferState.CANCELLED, ErrorCode.CANCELLED, text)));
    }

    /**
     * Ends all transfers, now and from now on; links and session stay.
     *
     * @param end how they end
     * @param code with which code
     * @param text why
     * @return completes when all are terminal
     */
    public CompletableFuture<Void> refuse(TransferState end, ErrorCode code, String text) {
        send(Mail.of(() -> flow.refuse(end, code, text)));
        return idle();
    }

    /**
     * Ends everything with this peer for good.
     *
     * @param end how its transfers end
     * @param code with which code
     * @param text why
     * @return completes when transfers are terminal, links closed and the session over
     */
    public CompletableFuture<Void> close(TransferState end, ErrorCode code, String text) {
        CompletableFuture<Void> closed = new CompletableFuture<>();
        send(Mail.of(() -> farewell.begin(end, code, text, closed)));
        return closed;
    }

    /**
     * The peer as routing sees it, for an explanation.
     *
     * @return completes in the turn
     */
    public CompletableFuture<RoutePeer> asRoutePeer() {
        CompletableFuture<RoutePeer> answer = new CompletableFuture<>();
        send(Mail.of(() -> answer.complete(routes.asRoutePeer(now()))));
        return answer;
    }

    // ---- in the turn ----

    Asides asides() {
        return asides;
    }

    Alarm alarm() {
        return alarm;
    }

    TransferFlow flow() {
        return flow;
    }

    PeerSessions sessions() {
        return sessions;
    }

    PeerKeys keys() {
        return keys;
    }

    PeerRoutes routes() {
        return routes;
    }

    PeerStaging staging() {
        return staging;
    }

    List<PeerLink> links() {
        return links;
    }

    Optional<PeerLink> linkIfAny(int backendIndex) {
        return Optional.ofNullable(linkByBackend[backendIndex]);
    }

    PeerLink link(OpenBackend backend) {
        PeerLink link = linkByBackend[backend.index()];
        if (link == null) {
            link = new PeerLink(this, backend);
            linkByBackend[backend.index()] = link;
            links.add(link);
        }
        return link;
    }

    @Nullable
    ControlSession session() {
        return sessions.session();
    }

    /** Whether links may be brought up. */
    boolean canConnect() {
        return plain || sessions.isReady();
    }

    boolean isSuspect() {
        return sessions.isSuspect();
    }

    void publishState() {
        sharedSession = sessions.session();
        sharedState = sessions.state();
    }

    void routesChanged() {
        routes.forget();
    }

    void gone() {
        whenGone.run();
    }

    long now() {
        return services.clock().nanos();
    }

    /** Operations in flight may still use the handle; it goes when nothing is in flight on the link. */
    void releaseLater(PeerLink link, RemoteMemory memory) {
        farewell.releaseLater(link, memory);
    }

    @Override
    protected boolean work(boolean relieved) {
        if (alarm.hasRung()) {
            wake();
        }
        boolean more = false;
        for (int i = 0; i < links.size(); i++) {
            more |= links.get(i).poster().pump(relieved);
        }
        flow.afterWork();
        farewell.step();
        alarm.set(flow.live().earliest());
        return more;
    }

    private void wake() {
        long now = now();
        flow.wake(now);
        sessions.wake(now);
        for (int i = 0; i < links.size(); i++) {
            links.get(i).wake(now);
        }
        farewell.wake(now);
    }

    @Override
    public String toString() {
        return "peer " + key;
    }
}
