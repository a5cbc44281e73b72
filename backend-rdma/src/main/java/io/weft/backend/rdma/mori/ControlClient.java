package io.weft.backend.rdma.mori;

import io.weft.api.ErrorCode;
import io.weft.api.WeftException;
import io.weft.spi.EngineClock;
import io.weft.spi.Peer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;

/** Asks a plain MORI-IO engine's control plane: a connection for each question. Stateless; blocks. */
public final class ControlClient {
    private ControlClient() {}

    /**
     * Asks for a queue pair.
     *
     * @param peer whom
     * @param request this side's queue pair
     * @param clock of the deadline
     * @param deadlineNanos a value of the clock
     * @return the peer's, which is ready to receive
     * @throws WeftException UNREACHABLE, PROTOCOL
     */
    public static RegEndpoint ask(Peer peer, RegEndpoint request, EngineClock clock, long deadlineNanos) {
        return ask(peer, request, RegEndpoint.class, clock, deadlineNanos);
    }

    /**
     * Asks for a region.
     *
     * @param peer whom
     * @param request which
     * @param clock of the deadline
     * @param deadlineNanos a value of the clock
     * @return the answer, zeros for an unknown region
     * @throws WeftException UNREACHABLE, PROTOCOL
     */
    public static AskMemoryRegion ask(Peer peer, AskMemoryRegion request, EngineClock clock, long deadlineNanos) {
        return ask(peer, request, AskMemoryRegion.class, clock, deadlineNanos);
    }

    private static <T extends ControlFrame> T ask(
            Peer peer, T request, Class<T> answerType, EngineClock clock, long deadlineNanos) {
        String what = "rdma: asking MORI-IO engine " + peer.key() + " at " + peer.host() + " port " + peer.port()
                + " for " + (request instanceof RegEndpoint ? "a queue pair" : "a region's key");
        ControlFrame answer;
        try (Socket socket = new Socket()) {
            long left = TimeUnit.NANOSECONDS.toMillis(deadlineNanos - clock.nanos());
            socket.connect(new InetSocketAddress(peer.host(), peer.port()), Math.clamp(left, 1, Integer.MAX_VALUE));
            socket.setTcpNoDelay(true);
            socket.getOutputStream().write(request.encode());
            answer = new FrameInput(socket, ByteBuffer.allocate(0), clock, deadlineNanos).read();
        } catch (IOException failed) {
            throw new WeftException(
                    ErrorCode.UNREACHABLE,
                    what + " failed: " + failed.getMessage()
                            + "; check that it runs with its RDMA backend, and that the port is open",
                    failed);
        }
        if (!answerType.isInstance(answer)) {
            throw new WeftException(ErrorCode.PROTOCOL, what + ": it answered another question");
        }
        return answerType.cast(answer);
    }
}
