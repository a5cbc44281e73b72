package io.weft.engine.internal.control.socket;

import io.weft.api.MemoryKind;
import io.weft.engine.internal.control.BackendHello;
import io.weft.engine.internal.control.Hello;
import io.weft.engine.internal.control.socket.FrameType.Limits;
import io.weft.spi.Capabilities.Enforcement;
import io.weft.spi.OperationKind;
import io.weft.spi.TransferSupport;
import io.weft.spi.Visibility;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The hello's content. Numbers on the wire are written out here, so that no enum can be reordered by accident. Pure. */
final class HelloCodec {
    static final int MAX_BACKENDS = 32;
    static final int MAX_TRANSFERS = 256;
    private static final int VERSION = 128;

    /**
     * A hello and what only the control plane needs.
     *
     * @param hello what the engine says
     * @param wanted the incarnation that the dialler means to reach, 0 from the other side
     * @param lastSession id of the last session that the dialler knew with that incarnation, 0 for none
     * @param heartbeatNanos how often the sender wants to hear something
     */
    record Content(Hello hello, long wanted, long lastSession, long heartbeatNanos) {}

    private HelloCodec() {}

    static WireOut write(WireOut out, Content c) {
        Hello hello = c.hello;
        out.i64(hello.incarnation()).text("engine key", hello.key(), Limits.WIRE_KEY);
        out.i64(c.wanted).i64(c.lastSession).i64(c.heartbeatNanos);
        out.u16(limited("backends", hello.backends().size(), MAX_BACKENDS));
        for (BackendHello b : hello.backends()) {
            out.text("backend name", b.name(), Limits.NAME).clipped(b.version(), VERSION);
            out.bytes("address of backend " + b.name(), b.address(), Limits.ADDRESS)
                    .u8(b.enforcement() == Enforcement.TARGET ? 1 : 0);
            out.u16(limited("transfers of backend " + b.name(), b.transfers().size(), MAX_TRANSFERS));
            for (TransferSupport t : b.transfers()) {
                out.u8(number(t.kind()));
                out.text("memory kind", t.local().id(), Limits.NAME);
                out.text("memory kind", t.remote().id(), Limits.NAME);
                out.u8(number(t.visibility()));
            }
        }
        return out;
    }

    /** What a later minor appends is ignored; what it adds to a list of numbers is left out. */
    static Content read(WireIn in, int wireMajor, int wireMinor) {
        long incarnation = in.i64("incarnation");
        if (incarnation == 0) {
            throw new ProtocolException("incarnation is 0");
        }
        String key = in.text("engine key", Limits.WIRE_KEY);
        long wanted = in.i64("wanted incarnation");
        long lastSession = in.i64("last session");
        long heartbeatNanos = in.i64("heartbeat");
        if (heartbeatNanos <= 0) {
            throw new ProtocolException("heartbeat is not positive");
        }
        List<BackendHello> backends = new ArrayList<>();
        for (int left = count(in, "backends", MAX_BACKENDS); left > 0; left--) {
            backends.add(readBackend(in));
        }
        return new Content(
                new Hello(key, incarnation, wireMajor, wireMinor, backends), wanted, lastSession, heartbeatNanos);
    }

    private static BackendHello readBackend(WireIn in) {
        String name = in.text("backend name", Limits.NAME);
        String version = in.text("backend version", VERSION);
        byte[] address = in.bytes("backend address", Limits.ADDRESS);
        // An unknown way of enforcing is trusted the least.
        Enforcement enforcement = in.u8("enforcement") == 1 ? Enforcement.TARGET : Enforcement.INITIATOR;
        List<TransferSupport> transfers = new ArrayList<>();
        for (int left = count(in, "transfers", MAX_TRANSFERS); left > 0; left--) {
            int kind = in.u8("operation kind");
            MemoryKind local = memoryKind(in);
            MemoryKind remote = memoryKind(in);
            int visibility = in.u8("visibility");
            kind(kind)
                    .ifPresent(k -> visibility(visibility)
                            .ifPresent(v -> transfers.add(new TransferSupport(k, local, remote, v))));
        }
        return new BackendHello(name, version, address, enforcement, transfers);
    }

    private static MemoryKind memoryKind(WireIn in) {
        String id = in.text("memory kind", Limits.NAME);
        try {
            return new MemoryKind(id);
        } catch (IllegalArgumentException otherForm) {
            throw new ProtocolException("memory kind has another form");
        }
    }

    private static int count(WireIn in, String what, int max) {
        int count = in.u16(what);
        if (count > max) {
            throw new ProtocolException(count + " " + what + ", at most " + max);
        }
        return count;
    }

    private static int limited(String what, int count, int max) {
        if (count > max) {
            throw new IllegalArgumentException(what + ": " + count + ", at most " + max);
        }
        return count;
    }

    private static int number(OperationKind kind) {
        return switch (kind) {
            case WRITE -> 1;
            case READ -> 2;
        };
    }

    private static Optional<OperationKind> kind(int number) {
        return switch (number) {
            case 1 -> Optional.of(OperationKind.WRITE);
            case 2 -> Optional.of(OperationKind.READ);
            default -> Optional.empty();
        };
    }

    private static int number(Visibility visibility) {
        return switch (visibility) {
            case COMPLETION -> 1;
            case FLUSH -> 2;
            case TARGET_FLUSH -> 3;
        };
    }

    private static Optional<Visibility> visibility(int number) {
        return switch (number) {
            case 1 -> Optional.of(Visibility.COMPLETION);
            case 2 -> Optional.of(Visibility.FLUSH);
            case 3 -> Optional.of(Visibility.TARGET_FLUSH);
            default -> Optional.empty();
        };
    }
}
