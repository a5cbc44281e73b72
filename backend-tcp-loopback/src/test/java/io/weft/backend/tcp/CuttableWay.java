package io.weft.backend.tcp;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The network between an initiator and one target: carries every connection until it is cut. What is on its way then stays there, in
 * this process and in the kernel's buffers on both sides of it, and neither side is told.
 *
 * <p>Thread-safe. Two threads for each connection, which end with it; {@link #close} resets all.
 */
final class CuttableWay implements AutoCloseable {
    private static final int CONNECT_MILLIS = 10_000;
    private static final int PIECE = 64 << 10;

    private final InetSocketAddress target;
    private final ServerSocket door;
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private long toPass = Long.MAX_VALUE;
    private boolean closed;

    CuttableWay(String host, int port) throws IOException {
        target = new InetSocketAddress(host, port);
        door = new ServerSocket(0, 64, InetAddress.getLoopbackAddress());
        Thread.ofPlatform().daemon().name("way-accept").start(this::accept);
    }

    /** Where to dial instead of the target. */
    int port() {
        return door.getLocalPort();
    }

    /** Lets so many bytes pass and then nothing more; returns when it is cut. */
    void cutAfter(long bytes) throws InterruptedException {
        lock.lock();
        try {
            toPass = bytes;
            for (long left = TimeUnit.SECONDS.toNanos(20); toPass > 0; ) {
                left = changed.awaitNanos(left);
                if (left <= 0) {
                    throw new IllegalStateException("nothing was on its way: " + toPass + " bytes are still missing");
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /** Lets everything pass again, what was held first. */
    void heal() {
        lock.lock();
        try {
            toPass = Long.MAX_VALUE;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Resets every connection, with what it holds, and lets new ones pass. */
    void resetAndHeal() {
        sockets.forEach(CuttableWay::reset);
        heal();
    }

    private void accept() {
        while (true) {
            Socket near;
            try {
                near = door.accept();
            } catch (IOException ended) {
                return;
            }
            sockets.add(near);
            Thread.ofPlatform().daemon().name("way-out").start(() -> carry(near));
        }
    }

    private void carry(Socket near) {
        try (Socket far = new Socket()) {
            // A network that is cut does not connect either.
            awaitOpen(0);
            far.connect(target, CONNECT_MILLIS);
            sockets.add(far);
            near.setTcpNoDelay(true);
            far.setTcpNoDelay(true);
            Thread back = Thread.ofPlatform().daemon().name("way-back").start(() -> pump(far, near));
            pump(near, far);
            back.join();
            sockets.remove(far);
        } catch (IOException | InterruptedException unreachable) {
            reset(near);
        }
        sockets.remove(near);
    }

    /** Until either side ends; then the other ends in the same way. */
    private void pump(Socket from, Socket to) {
        byte[] piece = new byte[PIECE];
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int n = in.read(piece); n >= 0; n = in.read(piece)) {
                awaitOpen(n);
                out.write(piece, 0, n);
            }
            to.shutdownOutput();
        } catch (IOException | InterruptedException ended) {
            reset(from);
            reset(to);
        }
    }

    private void awaitOpen(int bytes) throws InterruptedException {
        lock.lock();
        try {
            while (toPass <= 0 && !closed) {
                changed.await();
            }
            if (toPass != Long.MAX_VALUE) {
                toPass -= bytes;
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    private static void reset(Socket socket) {
        try {
            socket.setOption(StandardSocketOptions.SO_LINGER, 0);
            socket.close();
        } catch (IOException gone) {
            // What was to be ended has ended.
        }
    }

    @Override
    public void close() throws IOException {
        door.close();
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        sockets.forEach(CuttableWay::reset);
    }
}
