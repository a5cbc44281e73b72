package io.weft.engine.internal.peer;

import io.weft.api.ErrorCode;
import io.weft.api.InboundTransfer;
import io.weft.api.Notification;
import io.weft.api.WeftException;
import io.weft.engine.internal.backend.OpenBackend;
import io.weft.engine.internal.control.ControlHandler;
import io.weft.engine.internal.control.ControlSession;
import io.weft.engine.internal.control.Hello;
import io.weft.engine.internal.control.InboundEnd;
import io.weft.engine.internal.inbound.InboundEnds;
import io.weft.engine.internal.inbound.NotificationQueue;
import io.weft.engine.internal.memory.RegionTable;
import io.weft.spi.EngineClock;
import io.weft.spi.Peer;
import io.weft.spi.PeerDirectory;
import io.weft.spi.PeerRequests;
import io.weft.spi.WireClaim;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Answers peers: hello, keys, revocations, fences, ends, and what backends say to each other. Safe from any thread. */
public final class ControlService implements ControlHandler {
    /** An answer has to travel back before the peer's bound. */
    private static final long ANSWER_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final Hello hello;
    private final List<OpenBackend> backends;
    private final List<WireClaim> claims;
    private final RegionTable regions;
    private final PeerTable peers;
    private final PeerDirectory directory;
    private final NotificationQueue notifications;
    private final InboundEnds ends;
    private final EngineClock clock;

    /**
     * Makes the service.
     *
     * @param hello what this engine says of itself
     * @param backends open backends by index
     * @param regions this engine's regions
     * @param peers its peers
     * @param directory who may connect without a session
     * @param notifications takes notifications
     * @param ends takes ends of inbound transfers
     * @param clock clock of deadlines
     */
    public ControlService(
            Hello hello,
            List<OpenBackend> backends,
            RegionTable regions,
            PeerTable peers,
            PeerDirectory directory,
            NotificationQueue notifications,
            InboundEnds ends,
            EngineClock clock) {
        this.hello = hello;
        this.backends = List.copyOf(backends);
        this.claims = backends.stream()
                .map(OpenBackend::wireClaim)
                .flatMap(Optional::stream)
                .toList();
        this.regions = regions;
        this.peers = peers;
        this.directory = directory;
        this.notifications = notifications;
        this.ends = ends;
        this.clock = clock;
    }

    private OpenBackend backend(String name) {
        return backends.stream()
                .filter(b -> b.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new WeftException(
                        ErrorCode.UNSUPPORTED,
                        "engine " + hello.key() + " has no open backend " + name + ", but "
                                + backends.stream().map(OpenBackend::name).toList()));
    }

    @Override
    public Hello hello() {
        return hello;
    }

    @Override
    public List<WireClaim> wireClaims() {
        return claims;
    }

    @Override
    public void onOpen(ControlSession session) {
        peers.opened(session);
    }

    @Override
    public void onLiveness(ControlSession session) {
        peers.of(session).sessionLiveness(session);
    }

    @Override
    public void onClosed(ControlSession session, ErrorCode code, String text) {
        peers.closed(session, code, text);
    }

    @Override
    public byte[] exportKey(ControlSession from, String backendName, int regionId) {
        OpenBackend backend = backend(backendName);
        EnginePeer peer = peers.of(from);
        return regions.export(peer.access(), peer.view(backend), backend, regionId)
                .encode();
    }

    @Override
    public void revoked(ControlSession from, int regionId, long deadlineNanos) {
        long now = clock.nanos();
        // Transfers that have begun get half of the time; then they are withdrawn, and the rest is for that.
        long patience = now + Math.max(0, deadlineNanos - ANSWER_NANOS - now) / 2;
        CompletableFuture<Void> unused = peers.of(from).regionRevoked(regionId, patience);
        try {
            unused.get(Math.max(0, deadlineNanos - now), TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
            throw new WeftException(
                    ErrorCode.DEADLINE_EXCEEDED,
                    "revoke region #" + Integer.toUnsignedString(regionId) + " at engine " + hello.key()
                            + ": operations on it did not end in time",
                    late);
        } catch (ExecutionException impossible) {
            throw new IllegalStateException(impossible);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new WeftException(ErrorCode.CLOSED, "engine " + hello.key() + " is closing", interrupted);
        }
    }

    @Override
    public boolean fence(ControlSession from, String backendName, long deadlineNanos) {
        return peers.of(from).access().cutOff(backend(backendName), deadlineNanos);
    }

    @Override
    public void ended(ControlSession from, InboundEnd end) {
        String key = from.peer().key();
        ends.add(new InboundTransfer(key, end.transferId(), end.code(), end.text()));
        byte[] payload = end.notification();
        if (payload != null) {
            notifications.add(new Notification(key, end.transferId(), end.code(), payload));
        }
    }

    private PeerRequests requests(OpenBackend backend) {
        return backend.requests()
                .orElseThrow(() -> new WeftException(
                        ErrorCode.UNSUPPORTED, "backend " + backend.name() + " answers no calls of peers"));
    }

    @Override
    public CompletableFuture<byte[]> begin(ControlSession from, String backendName, byte[] request) {
        return backendName.equals(StagingMessage.NAME)
                ? peers.of(from).inboundStaging().answer(from, request, () -> peers.of(from))
                : ControlHandler.super.begin(from, backendName, request);
    }

    @Override
    public byte[] call(ControlSession from, String backendName, byte[] request) {
        OpenBackend backend = backend(backendName);
        Peer peer = peers.of(from).view(backend);
        PeerRequests server = requests(backend);
        return backend.guard().call("answer a call", () -> server.onCall(peer, request));
    }

    @Override
    public void message(ControlSession from, String backendName, byte[] message) {
        OpenBackend backend = backend(backendName);
        Peer peer = peers.of(from).view(backend);
        PeerRequests server = requests(backend);
        backend.guard().run("take a message", () -> server.onMessage(peer, message));
    }

    @Override
    public PeerDirectory peers() {
        return directory;
    }
}
