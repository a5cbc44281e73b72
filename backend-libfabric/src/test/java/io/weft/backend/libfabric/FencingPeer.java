package io.weft.backend.libfabric;

import io.weft.spi.Peer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/** A peer at which, some times, a fence comes between its answer to a request for an endpoint and the use of that endpoint. */
record FencingPeer(Peer peer, Runnable fence, AtomicInteger times) implements Peer {
    @Override
    public CompletableFuture<byte[]> call(byte[] request, long deadlineNanos) {
        CompletableFuture<byte[]> answer = peer.call(request, deadlineNanos);
        if (times.getAndDecrement() > 0) {
            fence.run();
        }
        return answer;
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
        return peer.host();
    }

    @Override
    public int port() {
        return peer.port();
    }

    @Override
    public byte[] address() {
        return peer.address();
    }

    @Override
    public boolean send(byte[] message) {
        return peer.send(message);
    }

    @Override
    public byte[] prove(byte[] context) {
        return peer.prove(context);
    }

    @Override
    public boolean verify(byte[] context, byte[] proof) {
        return peer.verify(context, proof);
    }
}
