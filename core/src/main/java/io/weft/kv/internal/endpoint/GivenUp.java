package io.weft.kv.internal.endpoint;

import io.weft.kv.wire.NetworkAddress;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Addresses to which no connection could be had lately. Nobody dials them any more, but a registry may name them until a successor has told
 * of itself, which can take longer than messages were kept. Safe from any thread.
 */
final class GivenUp {
    /** Within that time a process that is to come back has come back; what is older is forgotten, so that this stays small. */
    private static final long REMEMBERED_NANOS = TimeUnit.MINUTES.toNanos(1);

    private static final int DIAL_MILLIS = 1_000;

    private final LongSupplier nanoClock;
    private final Map<NetworkAddress, Long> since = new ConcurrentHashMap<>();

    GivenUp(LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
    }

    void add(NetworkAddress address) {
        long now = nanoClock.getAsLong();
        since.values().removeIf(then -> now - then > REMEMBERED_NANOS);
        since.put(address, now);
    }

    /** Whether it was given up and still does not accept a connection. Blocks for a second at most, and only if it was given up. */
    boolean isStillGone(NetworkAddress address) {
        Long then = since.get(address);
        if (then == null) {
            return false;
        }
        if (nanoClock.getAsLong() - then <= REMEMBERED_NANOS && !accepts(address)) {
            return true;
        }
        since.remove(address, then);
        return false;
    }

    private static boolean accepts(NetworkAddress address) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(address.host(), address.port()), DIAL_MILLIS);
            return true;
        } catch (IOException refused) {
            return false;
        }
    }
}
