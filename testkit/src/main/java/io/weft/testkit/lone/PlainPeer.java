package io.weft.testkit.lone;

import io.weft.api.ErrorCode;
import io.weft.api.WeftException;
import io.weft.spi.Peer;
import java.util.concurrent.CompletableFuture;

/**
 * A plain MORI-IO engine, which has no control connection. Immutable.
 *
 * @param key the wire key
 * @param host where it listens
 * @param port where it listens
 */
public record PlainPeer(String key, String host, int port) implements Peer {
    @Override
    public long incarnation() {
        return 0;
    }

    @Override
    public boolean isPlain() {
        return true;
    }

    @Override
    public byte[] address() {
        return new byte[0];
    }

    @Override
    public CompletableFuture<byte[]> call(byte[] request, long deadlineNanos) {
        return CompletableFuture.failedFuture(
                new WeftException(ErrorCode.UNSUPPORTED, key + " is a plain MORI-IO engine"));
    }

    @Override
    public boolean send(byte[] message) {
        return false;
    }

    @Override
    public byte[] prove(byte[] context) {
        return new byte[0];
    }

    @Override
    public boolean verify(byte[] context, byte[] proof) {
        return false;
    }
}
