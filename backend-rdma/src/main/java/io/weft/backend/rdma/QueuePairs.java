package io.weft.backend.rdma;

import io.weft.backend.rdma.verbs.Ibv;
import io.weft.backend.rdma.verbs.VerbsException;
import io.weft.spi.OptionValues;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * The queue pairs between two engines, in the order in which each is joined to one of the other side's. They live and end together.
 * Confined to their owner; calls from several threads are ordered by it.
 */
final class QueuePairs {
    private final RdmaDevice device;
    private final List<QueuePair> pairs = new ArrayList<>();

    private final int inline;

    private QueuePairs(RdmaDevice device, int inline) {
        this.device = device;
        this.inline = inline;
    }

    /** For a Weft peer. Their sends complete on one queue. Where the driver refuses to have bytes inline they do without. */
    static QueuePairs create(RdmaDevice device, MemorySegment cq, int count, Ibv.Depths depths) throws VerbsException {
        if (depths.inline() > 0) {
            try {
                return createAll(device, cq, count, depths);
            } catch (VerbsException refused) {
                RdmaBackend.LOG.log(
                        System.Logger.Level.DEBUG,
                        "rdma: {0} makes no queue pairs with {1} bytes inline: {2}",
                        device.name(),
                        depths.inline(),
                        refused.getMessage());
            }
        }
        return createAll(device, cq, count, depths.withoutInline());
    }

    private static QueuePairs createAll(RdmaDevice device, MemorySegment cq, int count, Ibv.Depths depths)
            throws VerbsException {
        QueuePairs made = new QueuePairs(device, depths.inline());
        try {
            for (int i = 0; i < count; i++) {
                made.pairs.add(QueuePair.create(device, cq, depths));
            }
            return made;
        } catch (VerbsException refused) {
            made.destroy();
            throw refused;
        }
    }

    /** For a plain MORI-IO engine, which has one for each request. */
    static QueuePairs of(RdmaDevice device, QueuePair only) {
        QueuePairs one = new QueuePairs(device, 0);
        one.pairs.add(only);
        return one;
    }

    /** Bytes that a request may carry in itself. */
    int inline() {
        return inline;
    }

    int count() {
        return pairs.size();
    }

    /** The native address of one. */
    long qp(int index) {
        return pairs.get(index).qp.address();
    }

    QpAddress address(long id, long hello, int helloKey) {
        List<QpAddress.End> ends = pairs.stream().map(QueuePair::end).toList();
        return QueuePair.address(device, ends, id, hello, helloKey);
    }

    /** Joins each to its counterpart; the other side has as many. */
    void connect(QpAddress mine, QpAddress theirs, OptionValues options) throws VerbsException {
        for (int i = 0; i < pairs.size(); i++) {
            pairs.get(i).connect(mine, theirs, theirs.ends().get(i), options);
        }
    }

    /** Afterwards nothing is read or written through them, whatever is on the wire. May be called again if one is refused. */
    void destroy() throws VerbsException {
        while (!pairs.isEmpty()) {
            pairs.getLast().destroy();
            pairs.removeLast();
        }
    }
}
