package io.weft.testkit.lone;

import io.weft.spi.Peer;
import java.util.concurrent.CompletableFuture;

/** One context as another sees it; calls run on the caller's thread. */
record LonePeer(LoneContext self, LoneContext other) implements Peer {
    @Override
    public String key() {
        return other.engineKey();
    }

    @Override
    public long incarnation() {
        return other.incarnation();
    }

    @Override
    public boolean isPlain() {
        return false;
    }

    @Override
    public String host() {
        return other.advertisedHost();
    }

    @Override
    public int port() {
        return other.port();
    }

    @Override
    public byte[] address() {
        return other.backend().localAddress();
    }

    @Override
    public CompletableFuture<byte[]> call(byte[] request, long deadlineNanos) {
        try {
            return CompletableFuture.completedFuture(other.requests().onCall(other.peer(self), request.clone()));
        } catch (RuntimeException refused) { // handed on to the caller, as core does
            return CompletableFuture.failedFuture(refused);
        }
    }

    @Override
    public boolean send(byte[] message) {
        other.requests().onMessage(other.peer(self), message.clone());
        return true;
    }

    @Override
    public byte[] prove(byte[] context) {
        return new byte[0];
    }

    @Override
    public boolean verify(byte[] context, byte[] proof) {
        return true;
    }
}
