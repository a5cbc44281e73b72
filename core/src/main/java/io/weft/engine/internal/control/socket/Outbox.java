package io.weft.engine.internal.control.socket;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.util.ArrayDeque;

/**
 * Frames on their way to one peer, in order and bounded. Writes at once from the caller's thread when nothing waits, without
 * blocking; the rest goes out when the channel is writable again. Safe from any thread.
 */
final class Outbox {
    private final WritableByteChannel channel;
    /** Asks the I/O thread to call {@link #flush}. */
    private final Runnable wantFlush;

    private final ArrayDeque<ByteBuffer> waiting = new ArrayDeque<>();
    private long waitingBytes;
    private long lastProgress;
    private boolean ready;
    private boolean closed;

    Outbox(WritableByteChannel channel, Runnable wantFlush) {
        this.channel = channel;
        this.wantFlush = wantFlush;
    }

    /** The channel is connected: what waited may go. */
    synchronized void ready() {
        ready = true;
    }

    /**
     * Sends or queues a frame.
     *
     * @param maxWaiting refuse if more bytes than these would wait
     * @return false if refused or closed
     */
    synchronized boolean offer(ByteBuffer frame, long maxWaiting, long now) {
        if (closed) {
            return false;
        }
        if (waiting.isEmpty()) {
            lastProgress = now;
            if (ready && writeAtOnce(frame)) {
                return true;
            }
        }
        // A frame that has begun must go on, whatever the bound says.
        if (frame.position() == 0 && waitingBytes + frame.remaining() > maxWaiting) {
            return false;
        }
        boolean first = waiting.isEmpty();
        waiting.add(frame);
        waitingBytes += frame.remaining();
        if (first) {
            wantFlush.run();
        }
        return true;
    }

    /**
     * Writes what the channel takes.
     *
     * @return whether nothing waits any more
     */
    synchronized boolean flush(long now) throws IOException {
        for (ByteBuffer head = waiting.peek(); head != null; head = waiting.peek()) {
            int written = channel.write(head);
            if (written > 0) {
                waitingBytes -= written;
                lastProgress = now;
            }
            if (head.hasRemaining()) {
                return false;
            }
            waiting.remove();
        }
        return true;
    }

    /** How long the peer has taken nothing of what waits for it; 0 if nothing waits. */
    synchronized long stalledFor(long now) {
        return waiting.isEmpty() ? 0 : Math.max(0, now - lastProgress);
    }

    /** Takes out time in which this side was stopped. */
    synchronized void deaf(long nanos, long now) {
        lastProgress += Math.min(nanos, Math.max(0, now - lastProgress));
    }

    synchronized boolean isClosed() {
        return closed;
    }

    synchronized void close() {
        closed = true;
        waiting.clear();
        waitingBytes = 0;
    }

    /** A broken channel is left to the I/O thread, which meets the same error in its flush. */
    private boolean writeAtOnce(ByteBuffer frame) {
        try {
            channel.write(frame);
        } catch (IOException broken) {
            return false;
        }
        return !frame.hasRemaining();
    }
}
