package io.weft.backend.rdma;

import io.weft.backend.rdma.verbs.Ibv;
import io.weft.backend.rdma.verbs.QpAttr;
import io.weft.backend.rdma.verbs.VerbsException;
import io.weft.spi.OptionValues;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.security.SecureRandom;
import java.util.List;

/**
 * A reliable connected queue pair from INIT to its end. Confined to its owner; calls from several threads are ordered by it.
 */
final class QueuePair {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int PSN_MASK = 0xff_ffff;
    /** Local write, remote write, remote read. */
    private static final int ACCESS = 1 | 2 | 4;
    /** A peer is never waited for on a receive buffer, since none is used; finite all the same. */
    private static final int RNR_RETRIES = 6;

    private static final int MOST_READS = 16;

    final MemorySegment qp;
    final int psn;
    private final RdmaDevice device;

    private QueuePair(RdmaDevice device, MemorySegment qp, int psn) {
        this.device = device;
        this.qp = qp;
        this.psn = psn;
    }

    /** For a Weft peer, which is told the first packet sequence number. Nothing is received through it. */
    static QueuePair create(RdmaDevice device, MemorySegment cq, Ibv.Depths depths) throws VerbsException {
        return create(device, cq, cq, depths, RANDOM.nextInt() & PSN_MASK);
    }

    /** For a plain MORI-IO engine, to which sequence numbers begin at 0. */
    static QueuePair createPlain(
            RdmaDevice device, MemorySegment sendCq, MemorySegment receiveCq, int depth, int sges, int receives)
            throws VerbsException {
        return create(device, sendCq, receiveCq, new Ibv.Depths(depth, sges, receives, 0), 0);
    }

    private static QueuePair create(
            RdmaDevice device, MemorySegment sendCq, MemorySegment receiveCq, Ibv.Depths depths, int psn)
            throws VerbsException {
        MemorySegment qp = device.ibv().createQp(device.pd(), sendCq, receiveCq, depths);
        QueuePair pair = new QueuePair(device, qp, psn);
        try (Arena arena = Arena.ofConfined()) {
            device.ibv().modifyQp(qp, QpAttr.init(arena, device.port().number(), ACCESS), QpAttr.INIT_MASK);
            return pair;
        } catch (VerbsException refused) {
            pair.destroy();
            throw refused;
        }
    }

    QpAddress.End end() {
        return new QpAddress.End(Ibv.qpNumber(qp), psn);
    }

    /** As the only one of a link. */
    QpAddress address() {
        return address(device, List.of(end()), 0, 0, 0);
    }

    static QpAddress address(RdmaDevice device, List<QpAddress.End> ends, long id, long hello, int helloKey) {
        return new QpAddress(
                ends,
                device.gid(),
                device.port().lid(),
                device.port().activeMtu(),
                Math.clamp(device.facts().maxReadsIn(), 1, MOST_READS),
                Math.clamp(device.facts().maxReadsOut(), 1, MOST_READS),
                device.port().ethernet(),
                id,
                hello,
                helloKey);
    }

    /** Joins it to the other side's, with what both can do. */
    void connect(QpAddress mine, QpAddress theirs, QpAddress.End other, OptionValues options) throws VerbsException {
        try (Arena arena = Arena.ofConfined()) {
            QpAttr.Path path = new QpAttr.Path(
                    other.number(),
                    other.psn(),
                    theirs.gid(),
                    theirs.lid(),
                    device.gidIndex(),
                    device.port().number(),
                    device.port().ethernet(),
                    (int) options.integer(RdmaOptions.TRAFFIC_CLASS),
                    (int) options.integer(RdmaOptions.SERVICE_LEVEL));
            int mtu = Math.min(mine.mtu(), theirs.mtu());
            MemorySegment rtr = QpAttr.readyToReceive(arena, path, mtu, Math.min(mine.readsIn(), theirs.readsOut()));
            device.ibv().modifyQp(qp, rtr, QpAttr.RTR_MASK);
            MemorySegment rts = QpAttr.readyToSend(
                    arena,
                    psn,
                    (int) options.integer(RdmaOptions.TIMEOUT),
                    (int) options.integer(RdmaOptions.RETRIES),
                    RNR_RETRIES,
                    Math.min(mine.readsOut(), theirs.readsIn()));
            device.ibv().modifyQp(qp, rts, QpAttr.RTS_MASK);
        }
    }

    /** Makes everything posted complete as flushed. */
    void toError() throws VerbsException {
        try (Arena arena = Arena.ofConfined()) {
            device.ibv().modifyQp(qp, QpAttr.error(arena), QpAttr.ERROR_MASK);
        }
    }

    /** Afterwards nothing is read or written through it, whatever is on the wire. */
    void destroy() throws VerbsException {
        device.ibv().destroyQp(qp);
    }
}
