package io.weft.cli.rank;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/** Polls open rooms, as an engine's scheduler does, on a thread of its own. */
final class RoomWatch implements AutoCloseable {
    private static final long POLL_NANOS = 500_000;
    private static final long IDLE_NANOS = 20_000_000;

    /** A room as the watch sees it. */
    interface Watched {
        /**
         * Looks once and tells what changed.
         *
         * @return whether the room is over and was cleared
         */
        boolean look();
    }

    private final Map<Long, Watched> open = new ConcurrentHashMap<>();
    private final Thread thread =
            Thread.ofPlatform().name("rank-rooms").daemon().unstarted(this::run);
    private volatile boolean closed;

    RoomWatch() {
        thread.start();
    }

    void add(long room, Watched watched) {
        open.put(room, watched);
        LockSupport.unpark(thread);
    }

    int size() {
        return open.size();
    }

    private void run() {
        List<Long> over = new ArrayList<>();
        while (!closed) {
            open.forEach((room, watched) -> {
                if (watched.look()) {
                    over.add(room);
                }
            });
            over.forEach(open::remove);
            over.clear();
            LockSupport.parkNanos(open.isEmpty() ? IDLE_NANOS : POLL_NANOS);
        }
    }

    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
    }
}
