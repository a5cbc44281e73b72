package io.weft.tck.rules;

import io.weft.api.EngineDescriptor;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Speaks to an engine's port byte by byte, as docs/wire.md has it. Confined to one thread. */
final class RawPeer implements AutoCloseable {
    static final int OPEN = 1;
    static final int CHALLENGE = 2;
    static final byte[] MAGIC = "WEFTCTL\0".getBytes(StandardCharsets.US_ASCII);

    private static final int NONCE_BYTES = 32;
    private static final Pattern MARKER = Pattern.compile(".*;weft=(\\d+)\\.(\\d+);.*");

    private final Socket socket = new Socket();
    private final DataInputStream in;
    private final DataOutputStream out;

    /** A frame. */
    @SuppressWarnings("ArrayRecordComponent") // read once, never compared
    record Frame(int type, byte[] body) {}

    RawPeer(EngineDescriptor to, Duration patience) throws IOException {
        socket.connect(new InetSocketAddress(to.host(), to.port()), (int) patience.toMillis());
        socket.setSoTimeout((int) patience.toMillis());
        in = new DataInputStream(socket.getInputStream());
        out = new DataOutputStream(socket.getOutputStream());
    }

    /** Major and minor of an engine's wire. */
    static int[] version(EngineDescriptor of) {
        Matcher marker = MARKER.matcher(of.nodeId());
        if (!marker.matches()) {
            throw new AssertionError("the node id '" + of.nodeId() + "' has no marker ;weft=MAJOR.MINOR;");
        }
        return new int[] {Integer.parseInt(marker.group(1)), Integer.parseInt(marker.group(2))};
    }

    void send(byte[] bytes) throws IOException {
        out.write(bytes);
        out.flush();
    }

    /** Says what version this side speaks, without a secret. */
    void open(int major, int minor) throws IOException {
        send(MAGIC);
        out.writeInt(2 + 2 + 1 + NONCE_BYTES);
        out.writeByte(OPEN);
        out.writeShort(major);
        out.writeShort(minor);
        out.writeByte(0);
        out.write(new byte[NONCE_BYTES]);
        out.flush();
    }

    Frame next() throws IOException {
        byte[] body = new byte[Math.min(1 << 20, in.readInt())];
        int type = in.readUnsignedByte();
        in.readFully(body);
        return new Frame(type, body);
    }

    /** Bytes that come until the other side closes; -1 if it does not within the patience. */
    int bytesUntilClosed() throws IOException {
        int count = 0;
        try {
            while (in.read() >= 0) {
                count++;
            }
            return count;
        } catch (SocketTimeoutException stillOpen) {
            return -1;
        } catch (SocketException | EOFException reset) {
            return count;
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
