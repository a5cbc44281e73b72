package io.weft.kv.internal.endpoint;

import io.weft.api.ErrorCode;
import io.weft.api.WeftException;
import io.weft.kv.wire.NetworkAddress;
import java.util.ArrayList;
import java.util.List;
import org.zeromq.SocketType;
import org.zeromq.ZContext;
import org.zeromq.ZMQ;
import org.zeromq.ZMQException;

/** The PULL socket of a rank: bound to a random port, read by one thread. */
final class Inbox {
    private static final int MIN_PORT = 49_152;
    private static final int MAX_PORT = 65_535;
    private static final int POLL_MILLIS = 100;
    /** Longest frame that ZeroMQ accepts from anybody. */
    private static final int MAX_FRAME_BYTES = 32 << 20;
    /** Frames of one message that are kept; a decoder refuses far fewer. */
    private static final int MAX_FRAMES = 64;

    private final ZMQ.Socket socket;
    private final EndpointEvents events;
    private final NetworkAddress address;
    private volatile boolean closing;

    Inbox(ZContext context, String host, EndpointEvents events) {
        this.events = events;
        socket = context.createSocket(SocketType.PULL);
        socket.setRcvHWM(0);
        socket.setMaxMsgSize(MAX_FRAME_BYTES);
        socket.setReceiveTimeOut(POLL_MILLIS);
        int buffer = ReceiveBuffer.size();
        if (buffer != ReceiveBuffer.DEFAULT) {
            socket.setReceiveBufferSize(buffer);
        }
        NetworkAddress anyPort = new NetworkAddress(host, 0);
        if (anyPort.isIpv6()) {
            socket.setIPv6(true);
        }
        address = new NetworkAddress(host, bind(anyPort));
    }

    NetworkAddress address() {
        return address;
    }

    void close() {
        closing = true;
    }

    /** Runs until closed. */
    void run() {
        try {
            while (!closing) {
                byte[] first = socket.recv();
                if (first != null) {
                    events.onMessage(rest(first));
                }
            }
        } finally {
            socket.close();
        }
    }

    private List<byte[]> rest(byte[] first) {
        List<byte[]> frames = new ArrayList<>(16);
        frames.add(first);
        while (socket.hasReceiveMore()) {
            byte[] frame = socket.recv();
            if (frame == null) {
                break;
            }
            if (frames.size() < MAX_FRAMES) {
                frames.add(frame);
            }
        }
        return frames;
    }

    private int bind(NetworkAddress anyPort) {
        String base = anyPort.tcp();
        try {
            return socket.bindToRandomPort(base.substring(0, base.lastIndexOf(':')), MIN_PORT, MAX_PORT);
        } catch (ZMQException refused) {
            socket.close();
            throw new WeftException(
                    ErrorCode.RESOURCE_EXHAUSTED,
                    "bind the control endpoint of a KV rank to " + anyPort.host() + ", a port from " + MIN_PORT + " to "
                            + MAX_PORT + ": " + refused.getMessage()
                            + "; set weft.kv.host (or SGLANG_HOST_IP) to an address of this host",
                    refused.getErrorCode(),
                    refused);
        }
    }
}
