package io.weft.backend.tcp;

import io.weft.api.ErrorCode;
import io.weft.spi.Link;
import io.weft.spi.Operation;
import io.weft.spi.OperationKind;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** The initiator's half of a {@link V3Session}. Guarded by the session. */
final class V3Initiator {
    /** Native codes of this offset and more are statuses of a MORI peer. */
    static final int MORI_NATIVE = 1_000;

    private static final System.Logger LOG = System.getLogger(V3Initiator.class.getName());
    /** Ids of second and further requests of a transfer; MORI's own ids are 32-bit counters. */
    private static final long EXTRA_IDS = 1L << 63;

    private final V3Session session;
    private final TcpBackend backend;
    private final Completions completions;
    private final LongMap<V3Request> requests = new LongMap<>();
    private final ArrayDeque<V3Request> spareRequests = new ArrayDeque<>();
    private final ArrayDeque<V3Operation> spareOperations = new ArrayDeque<>();
    private long nextExtra = EXTRA_IDS;
    private int inFlight;
    private boolean starved;

    V3Initiator(V3Session session, TcpBackend backend) {
        this.session = session;
        this.backend = backend;
        this.completions = new Completions(backend.context().completions());
    }

    @Nullable
    V3Lanes lanesOf(long operation) {
        V3Request request = requests.get(operation);
        return request != null && request.read ? request : null;
    }

    int inFlight() {
        synchronized (session) {
            return inFlight;
        }
    }

    int post(Operation operation) {
        try {
            synchronized (session) {
                if (session.isDown()) {
                    return ErrorCode.PEER_LOST.number();
                }
                if (inFlight == backend.settings().operations()) {
                    starved = true;
                    return Link.WOULD_BLOCK;
                }
                if (operation.runCount() == 0) {
                    return ErrorCode.UNSUPPORTED.number();
                }
                inFlight++;
                V3Operation spare = spareOperations.poll();
                V3Operation accepted = spare == null ? new V3Operation() : spare;
                accepted.begin(operation.token(), operation.runCount());
                for (int run = 0; run < operation.runCount(); run++) {
                    begin(operation, run, accepted);
                }
                completions.flush();
            }
        } catch (IOException failed) {
            // The operation was accepted and ends with the session.
            session.lose(failed);
        }
        return Link.ACCEPTED;
    }

    private void begin(Operation operation, int run, V3Operation accepted) throws IOException {
        V3Request spare = spareRequests.poll();
        V3Request request = spare == null ? new V3Request(this) : spare;
        long id = operation.transferId();
        if (run > 0 || requests.get(id) != null) {
            id = nextExtra++;
        }
        boolean read = operation.kind() == OperationKind.READ;
        request.begin(id, ((Remote) operation.remote(run)).id(), read, accepted);
        Region region = (Region) operation.local(run);
        for (int i = operation.from(run); i < operation.to(run); i++) {
            request.add(
                    region,
                    operation.localOffsets()[i],
                    operation.remoteOffsets()[i],
                    operation.lengths()[i]);
        }
        request.expect(session.lanesFor(request.extents().total()));
        requests.put(id, request);
        session.sendControl(request);
        if (!read) {
            session.sendPayload(V3.WRITE_PAYLOAD, id, request.extents(), request.lanes(), request);
        }
    }

    void onCompletion(long operation, int status, byte[] text, int textBytes) throws ProtocolException {
        V3Request request = requests.get(operation);
        if (request == null || request.completed) {
            throw new ProtocolException(
                    "completion of operation " + Long.toUnsignedString(operation) + ", which is not open");
        }
        request.completed = true;
        request.status = status;
        if (status != 0) {
            if (request.read && request.hasBegun() && request.lanesLeft() > 0) {
                throw new ProtocolException("a read failed at the target in the middle of its data");
            }
            LOG.log(
                    Level.DEBUG,
                    () -> "MORI-IO engine " + session.peer().key() + " refused operation "
                            + Long.toUnsignedString(operation) + ": "
                            + new String(text, 0, textBytes, StandardCharsets.UTF_8));
        }
        progress(request);
        completions.flush();
    }

    /** Something of a request is through; ends it when all is. */
    void progress(V3Request request) {
        boolean dataDue = request.lanesLeft() > 0 && !(request.read && request.status != 0);
        if (!request.completed || !request.requestSent || dataDue) {
            return;
        }
        requests.remove(request.operation);
        V3Operation operation = request.owner;
        request.owner = null;
        request.extents().clear();
        if (operation == null) {
            throw new IllegalStateException("request " + request.operation + " ended twice");
        }
        if (request.status != 0 && operation.code == 0) {
            operation.code = codeOf(request.status).number();
            operation.nativeCode = MORI_NATIVE + request.status;
        }
        request.completed = false;
        spareRequests.push(request);
        if (--operation.requestsLeft == 0) {
            end(operation);
        }
    }

    private void end(V3Operation operation) {
        inFlight--;
        long token = operation.token;
        spareOperations.push(operation);
        completions.add(token, operation.code, operation.nativeCode);
        if (starved) {
            starved = false;
            session.onWritable();
        }
    }

    /** Reports what ended while data came in. */
    void flush() {
        completions.flush();
    }

    private static ErrorCode codeOf(int moriStatus) {
        return switch (moriStatus) {
            case 11, 12 -> ErrorCode.REMOTE_ACCESS;
            case 15 -> ErrorCode.DEVICE;
            default -> ErrorCode.FABRIC;
        };
    }

    /** The session is down: ends everything. */
    void failAll(ErrorCode code) {
        synchronized (session) {
            requests.forEach(request -> {
                V3Operation operation = request.owner;
                if (operation != null && operation.requestsLeft > 0) {
                    operation.requestsLeft = 0;
                    inFlight--;
                    completions.add(operation.token, code.number(), 0);
                }
            });
            requests.clear();
            completions.flush();
        }
    }
}
