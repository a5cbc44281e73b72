package io.weft.engine.internal.control.socket;

import io.weft.spi.EngineClock;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;

/**
 * One socket that speaks frames. Confined to the I/O thread, except {@link #send}. What the frames mean is the phase's affair.
 */
final class Connection implements IoLoop.Ready, FrameReader.Sink {
    /** Why a connection ended. */
    enum End {
        /** The other side closed it in order. */
        CLOSED_BY_PEER,
        /** Reset, unreachable, refused, timed out. */
        BROKEN,
        /** The other side sent what it must not. */
        PROTOCOL,
        /** This side closed it. */
        CLOSED_HERE
    }

    /** What a connection is used for at the moment. */
    interface Phase {
        /** A dialled connection is there. */
        default void connected() {}

        /** Something arrived. */
        default void heard(long now) {}

        boolean allows(FrameType type);

        /** May throw {@link ProtocolException} or {@link HandshakeRefusal}; both end the connection. */
        void frame(FrameType type, WireIn body);

        /** Called once; nothing comes after. */
        void ended(End end, String text);
    }

    private static final int MAX_DRAINS = 16;

    private final IoLoop loop;
    private final EngineClock clock;
    private final SocketChannel channel;
    private final SelectionKey key;
    private final ByteBuffer shared;
    private final Outbox outbox;
    private final FrameReader reader = new FrameReader();
    private Phase phase;
    private boolean paused;
    private boolean ended;
    private long received;

    /**
     * Takes a channel over.
     *
     * @param shared the I/O thread's buffer: one is enough, since frames are cut out of it at once
     */
    Connection(IoLoop loop, EngineClock clock, SocketChannel channel, ByteBuffer shared, Phase phase)
            throws IOException {
        this.loop = loop;
        this.clock = clock;
        this.channel = channel;
        this.shared = shared;
        this.phase = phase;
        channel.configureBlocking(false);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        outbox = new Outbox(channel, this::wantFlush);
        boolean connected = channel.isConnected();
        key = channel.register(loop.selector(), connected ? SelectionKey.OP_READ : SelectionKey.OP_CONNECT, this);
        if (connected) {
            outbox.ready();
        }
    }

    void become(Phase next) {
        phase = next;
    }

    boolean is(Phase now) {
        return phase == now;
    }

    String remoteHost() {
        return channel.socket().getInetAddress() == null
                ? "unknown"
                : Addresses.numeric(channel.socket().getInetAddress());
    }

    String remote() {
        return channel.socket().getRemoteSocketAddress() instanceof InetSocketAddress a
                ? Addresses.display(a)
                : "an unconnected socket";
    }

    long received() {
        return received;
    }

    Outbox outbox() {
        return outbox;
    }

    /** From any thread: false if more than so many bytes would wait, or the connection has ended. */
    boolean send(ByteBuffer frame, long maxWaiting) {
        return outbox.offer(frame, maxWaiting, clock.nanos());
    }

    /** Whether nothing can be sent any more; the phase may hear of the end a moment later. Safe from any thread. */
    boolean isClosed() {
        return outbox.isClosed();
    }

    @Override
    public void ready(SelectionKey k) {
        try {
            if (k.isConnectable()) {
                channel.finishConnect();
                k.interestOps(SelectionKey.OP_READ);
                outbox.ready();
                phase.connected();
                flush();
            }
            if (k.isValid() && k.isWritable()) {
                flush();
            }
            if (k.isValid() && k.isReadable()) {
                read();
            }
        } catch (IOException broken) {
            end(End.BROKEN, String.valueOf(broken.getMessage()));
        }
    }

    @Override
    public void failed(RuntimeException defect) {
        end(End.CLOSED_HERE, "this engine failed: " + defect.getClass().getName());
    }

    /** Once per turn, so that a peer that sends without pause shares the thread with the others. */
    private void read() throws IOException {
        shared.clear();
        int read = channel.read(shared);
        if (read < 0) {
            end(End.CLOSED_BY_PEER, "it closed the connection");
            return;
        }
        received += read;
        phase.heard(clock.nanos());
        shared.flip();
        feed(shared);
    }

    /** Takes bytes that were read elsewhere first. */
    void feed(ByteBuffer bytes) {
        try {
            reader.feed(bytes, this);
        } catch (ProtocolException wrong) {
            end(End.PROTOCOL, wrong.getMessage());
        } catch (HandshakeRefusal refused) {
            if (refused.isTold()) {
                send(refused.frame(), Long.MAX_VALUE);
            }
            end(End.CLOSED_HERE, refused.getMessage());
        }
    }

    /** Stops or resumes reading: the kernel's window then holds the peer back. */
    void pause(boolean stop) {
        paused = stop;
        if (key.isValid()) {
            key.interestOps(
                    stop ? key.interestOps() & ~SelectionKey.OP_READ : key.interestOps() | SelectionKey.OP_READ);
        }
    }

    boolean isPaused() {
        return paused;
    }

    /** Ends the connection; what was sent and fits into the socket still goes out. */
    void end(End why, String text) {
        if (ended) {
            return;
        }
        ended = true;
        try {
            outbox.flush(clock.nanos());
            drain();
        } catch (IOException alreadyBroken) {
            // Nothing to save: the phase hears why the connection ends anyway.
        }
        outbox.close();
        key.cancel();
        IoLoop.closeQuietly(channel);
        phase.ended(why, text);
    }

    /** Unread bytes would make the kernel reset the connection, and the peer miss what was last said to it. */
    private void drain() throws IOException {
        // Not the shared buffer: the bytes that made this connection end may be another's and still in it.
        ByteBuffer discarded = ByteBuffer.allocate(4_096);
        for (int i = 0; i < MAX_DRAINS && channel.isConnected() && channel.read(discarded.clear()) > 0; i++) {}
    }

    /** Makes the end a reset, so that nobody takes it for a refusal. */
    void reset(String text) {
        try {
            channel.setOption(StandardSocketOptions.SO_LINGER, 0);
        } catch (IOException alreadyBroken) {
            // Then it is as good as reset.
        }
        end(End.CLOSED_HERE, text);
    }

    @Override
    public boolean allows(FrameType type) {
        return phase.allows(type);
    }

    @Override
    public void frame(FrameType type, WireIn body) {
        phase.frame(type, body);
    }

    @Override
    public boolean wantsMore() {
        return !ended;
    }

    private void flush() throws IOException {
        if (outbox.flush(clock.nanos())) {
            key.interestOps(key.interestOps() & ~SelectionKey.OP_WRITE);
        }
    }

    private void wantFlush() {
        loop.execute(() -> {
            if (!ended && key.isValid()) {
                key.interestOps(key.interestOps() | SelectionKey.OP_WRITE);
            }
        });
    }
}
