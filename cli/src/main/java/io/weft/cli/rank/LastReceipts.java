package io.weft.cli.rank;

import io.weft.api.Transfer;
import java.util.ArrayDeque;
import tools.jackson.databind.node.ArrayNode;

/** What the last transfers came to. Safe from any thread. */
final class LastReceipts {
    private static final int KEPT = 16;

    private final ArrayDeque<Transfer> last = new ArrayDeque<>(KEPT);

    Transfer keep(Transfer transfer) {
        synchronized (last) {
            if (last.size() == KEPT) {
                last.removeFirst();
            }
            last.addLast(transfer);
        }
        return transfer;
    }

    /** Those that ended, oldest first. */
    void describe(ArrayNode answer) {
        synchronized (last) {
            last.forEach(transfer -> transfer.receipt()
                    .ifPresent(receipt -> answer.addObject()
                            .put("transfer", Long.toUnsignedString(transfer.id()))
                            .put("state", transfer.state().name())
                            .put("backend", receipt.backend())
                            .put("lanes", receipt.lanes())
                            .put("bytes", receipt.bytes())
                            .put("segments", receipt.segments())
                            .put("segmentsAfterCoalescing", receipt.segmentsAfterCoalescing())
                            .put("operations", receipt.operations())
                            .put("retries", receipt.retries())
                            .put("queueMicros", receipt.queueNanos() / 1_000)
                            .put("wireMicros", receipt.wireNanos() / 1_000)));
        }
    }
}
