package io.weft.engine.internal.peer;

import io.weft.api.TransferOptions;
import io.weft.spi.OperationKind;

/** How far the staging of one transfer has come. In the turn. */
final class StagedTransfer {
    final PeerTransfer transfer;
    /** Options of the operations that carry its bytes between staging and host memory. */
    final TransferOptions options;

    final boolean localDevice;
    final boolean remoteDevice;
    /** Chunks that something may still touch memory for. */
    int busy;

    int copies;

    private int run;
    private int segment;
    private long within;

    StagedTransfer(PeerTransfer transfer, TransferPlan plan) {
        this.transfer = transfer;
        this.localDevice = !plan.local(0).location().kind().isHost();
        this.remoteDevice = !plan.remote(0).kind().isHost();
        this.segment = plan.runFrom[0];
        TransferOptions plain = TransferOptions.DEFAULT.withPriority(transfer.options.priority());
        this.options =
                transfer.options.routePolicy().map(plain::withRoutePolicy).orElse(plain);
    }

    boolean hasMore() {
        TransferPlan plan = transfer.plan;
        return plan != null && run < plan.runs;
    }

    boolean isWrite() {
        return transfer.kind == OperationKind.WRITE;
    }

    /** Fills a chunk with what comes next, all of one run. */
    void cut(StagedChunk chunk) {
        TransferPlan plan = transfer.plan;
        if (plan == null) {
            throw new IllegalStateException(transfer + " is over");
        }
        int current = run;
        chunk.begin(this, plan.local(run), plan.remote(run));
        while (run == current && chunk.hasRoom()) {
            long bytes = Math.min(plan.length[segment] - within, chunk.room());
            chunk.add(plan.local[segment] + within, plan.remote[segment] + within, bytes);
            within += bytes;
            if (within == plan.length[segment]) {
                within = 0;
                segment++;
                if (segment == plan.runTo[run]) {
                    run++;
                    segment = run < plan.runs ? plan.runFrom[run] : 0;
                }
            }
        }
    }
}
