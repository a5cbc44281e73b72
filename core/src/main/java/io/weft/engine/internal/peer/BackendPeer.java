package io.weft.engine.internal.peer;

import io.weft.api.EngineDescriptor;
import io.weft.api.ErrorCode;
import io.weft.api.WeftException;
import io.weft.engine.internal.backend.OpenBackend;
import io.weft.engine.internal.control.BackendHello;
import io.weft.engine.internal.control.ControlSession;
import io.weft.spi.Peer;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A peer as one backend sees it. Safe from any thread. */
final class BackendPeer implements Peer {
    private static final byte[] NOTHING = new byte[0];

    private final EnginePeer peer;
    private final OpenBackend backend;

    BackendPeer(EnginePeer peer, OpenBackend backend) {
        this.peer = peer;
        this.backend = backend;
    }

    @Override
    public String key() {
        return peer.key();
    }

    @Override
    public long incarnation() {
        return peer.incarnation();
    }

    @Override
    public boolean isPlain() {
        return peer.isPlain();
    }

    @Override
    public String host() {
        EngineDescriptor descriptor = peer.descriptor();
        if (descriptor != null) {
            return descriptor.host();
        }
        ControlSession session = peer.sharedSession();
        return session == null ? peer.remoteAddress() : session.remoteHost();
    }

    @Override
    public int port() {
        EngineDescriptor descriptor = peer.descriptor();
        return descriptor == null ? 0 : descriptor.port();
    }

    @Override
    public byte[] address() {
        ControlSession session = peer.sharedSession();
        return session == null
                ? NOTHING
                : session.peer()
                        .backend(backend.name())
                        .map(BackendHello::address)
                        .map(byte[]::clone)
                        .orElse(NOTHING);
    }

    @Override
    public CompletableFuture<byte[]> call(byte[] request, long deadlineNanos) {
        ControlSession session = peer.sharedSession();
        return session == null
                ? CompletableFuture.failedFuture(noSession())
                : session.call(backend.name(), request.clone(), deadlineNanos);
    }

    @Override
    public boolean send(byte[] message) {
        ControlSession session = peer.sharedSession();
        return session != null && session.send(backend.name(), message.clone());
    }

    private WeftException noSession() {
        return peer.isPlain()
                ? new WeftException(
                        ErrorCode.UNSUPPORTED,
                        "call backend " + backend.name() + " of peer " + peer.key()
                                + ": it is a plain MORI-IO engine, which has no control session")
                : new WeftException(
                        ErrorCode.PEER_LOST,
                        "call backend " + backend.name() + " of peer " + peer.key() + ": its control session is gone");
    }

    @Override
    public byte[] prove(byte[] context) {
        ControlSession session = session();
        return session == null ? NOTHING : session.prove(context);
    }

    @Override
    public boolean verify(byte[] context, byte[] proof) {
        ControlSession session = session();
        // A plain peer was let in by the directory, which knows whether a secret is configured; a lost one proves
        // nothing.
        return session == null ? peer.isPlain() : session.verify(context, proof);
    }

    private @Nullable ControlSession session() {
        return peer.sharedSession();
    }

    @Override
    public String toString() {
        return "peer " + peer.key() + " over " + backend.name();
    }
}
