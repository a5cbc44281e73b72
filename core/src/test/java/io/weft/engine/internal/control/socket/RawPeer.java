package io.weft.engine.internal.control.socket;

import io.weft.engine.internal.control.ControlAddress;
import io.weft.engine.internal.control.Hello;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.security.SecureRandom;

/** Speaks to an engine's port byte by byte: as an attacker, or as far as an honest peer until a test leaves the path. */
final class RawPeer implements AutoCloseable {
    private final Socket socket;

    RawPeer(ControlAddress address) throws IOException {
        socket = new Socket(address.host(), address.port());
        socket.setSoTimeout(20_000);
        socket.setTcpNoDelay(true);
    }

    void send(ByteBuffer frame) throws IOException {
        byte[] bytes = new byte[frame.remaining()];
        frame.get(bytes);
        send(bytes);
    }

    void send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
    }

    /** The body of the next frame, which must be of that type. */
    WireIn expect(FrameType type) throws IOException {
        InputStream in = socket.getInputStream();
        while (true) {
            ByteBuffer header = ByteBuffer.wrap(in.readNBytes(WireOut.HEADER));
            if (header.remaining() < WireOut.HEADER) {
                throw new IOException("closed instead of " + type);
            }
            byte[] body = in.readNBytes(header.getInt());
            if (header.get() == type.number) {
                return new WireIn(body, body.length);
            }
            if (type == FrameType.HEARTBEAT || header.get(4) != FrameType.HEARTBEAT.number) {
                throw new IOException("frame " + header.get(4) + " instead of " + type);
            }
        }
    }

    /** Everything until the other side closes or resets. */
    byte[] readToEnd() throws IOException {
        try {
            return socket.getInputStream().readAllBytes();
        } catch (java.net.SocketException reset) {
            return new byte[0];
        }
    }

    void finishSending() throws IOException {
        socket.shutdownOutput();
    }

    /** An honest handshake. */
    static RawPeer established(TestEngine with, String secret, Hello as) throws IOException {
        RawPeer peer = new RawPeer(with.address);
        byte[] nonce = new byte[Opening.NONCE_BYTES];
        new SecureRandom().nextBytes(nonce);
        Handshake.Dialler handshake =
                new Handshake.Dialler(Secret.of(secret.getBytes(java.nio.charset.StandardCharsets.UTF_8)), as, nonce);
        peer.send(Greeter.MAGIC);
        peer.send(handshake.open());
        WireIn challenge = peer.expect(FrameType.CHALLENGE);
        peer.send(handshake.hello(challenge, with.handler.hello().incarnation(), 0, 1_000_000_000L));
        handshake.established(peer.expect(FrameType.HELLO));
        return peer;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
