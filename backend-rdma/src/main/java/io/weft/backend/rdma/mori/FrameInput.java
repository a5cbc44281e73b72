package io.weft.backend.rdma.mori;

import io.weft.spi.EngineClock;
import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;

/** Reads one frame however it is cut, within a time for all of it. Confined to one thread, which blocks. */
final class FrameInput {
    private final Socket socket;
    private final ByteBuffer first;
    private final EngineClock clock;
    private final long deadline;

    /**
     * Begins.
     *
     * @param socket in blocking mode
     * @param first what was read from it before
     */
    FrameInput(Socket socket, ByteBuffer first, EngineClock clock, long deadline) {
        this.socket = socket;
        this.first = first;
        this.clock = clock;
        this.deadline = deadline;
    }

    /**
     * The frame.
     *
     * @throws io.weft.api.WeftException PROTOCOL for bytes that are not one
     * @throws SocketTimeoutException if it was not there in time
     */
    ControlFrame read() throws IOException {
        byte[] header = exactly(ControlFrame.HEADER_BYTES);
        int length = ControlFrame.bodyLength(ByteBuffer.wrap(header));
        return ControlFrame.decode(header[0], exactly(length));
    }

    private byte[] exactly(int count) throws IOException {
        byte[] bytes = new byte[count];
        int have = Math.min(count, first.remaining());
        first.get(bytes, 0, have);
        while (have < count) {
            long left = TimeUnit.NANOSECONDS.toMillis(deadline - clock.nanos());
            if (left <= 0) {
                throw new SocketTimeoutException("a frame was not whole in time");
            }
            socket.setSoTimeout((int) Math.min(left, Integer.MAX_VALUE));
            int more = socket.getInputStream().read(bytes, have, count - have);
            if (more < 0) {
                throw new EOFException("closed after " + have + " of " + count + " bytes");
            }
            have += more;
        }
        return bytes;
    }
}
