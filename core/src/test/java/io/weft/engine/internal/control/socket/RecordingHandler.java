package io.weft.engine.internal.control.socket;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weft.api.ErrorCode;
import io.weft.api.WeftException;
import io.weft.engine.internal.control.BackendHello;
import io.weft.engine.internal.control.ControlHandler;
import io.weft.engine.internal.control.ControlSession;
import io.weft.engine.internal.control.Hello;
import io.weft.engine.internal.control.InboundEnd;
import io.weft.spi.Capabilities.Enforcement;
import io.weft.spi.Peer;
import io.weft.spi.PeerDirectory;
import io.weft.spi.WireClaim;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;

/** An engine's side of the control plane that keeps what it hears. Behaviour is replaced by overriding. */
class RecordingHandler implements ControlHandler {
    final List<String> events = new CopyOnWriteArrayList<>();
    final Queue<InboundEnd> ends = new ConcurrentLinkedQueue<>();
    final List<String> messages = new CopyOnWriteArrayList<>();
    final List<ControlSession> open = new CopyOnWriteArrayList<>();
    final List<WireClaim> claims = new CopyOnWriteArrayList<>();
    private final Hello hello;

    RecordingHandler(String key, long incarnation) {
        this(key, incarnation, 1, 0);
    }

    RecordingHandler(String key, long incarnation, int major, int minor) {
        hello = new Hello(
                key,
                incarnation,
                major,
                minor,
                List.of(new BackendHello(
                        "memcpy", "1.2.3", ("address of " + key).getBytes(UTF_8), Enforcement.TARGET, List.of())));
    }

    @Override
    public Hello hello() {
        return hello;
    }

    @Override
    public List<WireClaim> wireClaims() {
        return claims;
    }

    @Override
    public void onOpen(ControlSession session) {
        events.add("open " + session.peer().key());
        open.add(session);
    }

    @Override
    public void onLiveness(ControlSession session) {
        events.add(session.state() + " " + session.peer().key());
    }

    @Override
    public void onClosed(ControlSession session, ErrorCode code, String text) {
        open.remove(session);
        events.add("closed " + session.peer().key() + " " + code + " " + text);
    }

    @Override
    public byte[] exportKey(ControlSession from, String backend, int regionId) {
        if (!backend.equals("memcpy")) {
            throw new WeftException(ErrorCode.UNSUPPORTED, "no backend " + backend);
        }
        return ByteBuffer.allocate(4).putInt(regionId).array();
    }

    @Override
    public void revoked(ControlSession from, int regionId, long deadlineNanos) {
        events.add("revoked " + regionId);
    }

    @Override
    public boolean fence(ControlSession from, String backend, long deadlineNanos) {
        return backend.equals("memcpy");
    }

    @Override
    public void ended(ControlSession from, InboundEnd end) {
        ends.add(end);
    }

    @Override
    public byte[] call(ControlSession from, String backend, byte[] request) {
        byte[] reversed = request.clone();
        for (int i = 0; i < reversed.length; i++) {
            reversed[i] = request[request.length - 1 - i];
        }
        return reversed;
    }

    @Override
    public void message(ControlSession from, String backend, byte[] message) {
        messages.add(backend + ":" + new String(message, UTF_8));
    }

    @Override
    public PeerDirectory peers() {
        return new PeerDirectory() {
            @Override
            public Optional<Peer> find(String key) {
                return Optional.empty();
            }

            @Override
            public Peer admitPlain(String key, String remoteAddress) {
                throw new WeftException(ErrorCode.AUTHENTICATION, "no plain peers here");
            }
        };
    }
}
