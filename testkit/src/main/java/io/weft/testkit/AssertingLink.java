package io.weft.testkit;

import io.weft.api.ErrorCode;
import io.weft.spi.Limits;
import io.weft.spi.Link;
import io.weft.spi.Operation;
import java.util.concurrent.atomic.AtomicBoolean;

/** Checks what core posts on one link, and what becomes of it. */
final class AssertingLink extends ForwardingLink {
    private final AssertingProvider report;
    private final AssertingBackend backend;
    private final String peer;
    private final PendingOperations pending;
    private final AtomicBoolean posting = new AtomicBoolean();

    AssertingLink(
            AssertingProvider report, AssertingBackend backend, Link delegate, String peer, PendingOperations pending) {
        super(delegate);
        this.report = report;
        this.backend = backend;
        this.peer = peer;
        this.pending = pending;
    }

    @Override
    public int post(Operation operation) {
        backend.enter("post");
        if (!posting.compareAndSet(false, true)) {
            report.core("post by two threads at once on the link to " + peer);
        }
        try {
            Limits limits = limits(backend.limits());
            for (String fault : OperationChecks.faults(operation, limits)) {
                report.core("post to " + peer + ": " + fault);
            }
            checkHandles(operation);
            int inFlight = pending.inFlight(this);
            if (inFlight >= limits.operationsInFlight()) {
                report.core("post to " + peer + " with " + inFlight + " operations in flight, the limit is "
                        + limits.operationsInFlight());
            }
            return postCopy(operation);
        } finally {
            posting.set(false);
        }
    }

    private void checkHandles(Operation operation) {
        for (int run = 0; run < operation.runCount(); run++) {
            if (!backend.isRegistered(operation.local(run))) {
                report.core("post to " + peer + " with a local region that is not registered");
            }
            if (!backend.isImportedFor(operation.remote(run), peer)) {
                report.core("post to " + peer + " with a remote region that is not imported for it");
            }
        }
    }

    /** Lends the backend a copy that goes bad when the loan ends. */
    private int postCopy(Operation operation) {
        CopiedOperation loan = new CopiedOperation(operation);
        int before = loan.fingerprint();
        pending.beforePost(this, operation);
        int result;
        try {
            result = super.post(loan);
        } catch (RuntimeException | Error thrown) {
            report.backend("post threw " + thrown);
            pending.forget(operation.token());
            throw thrown;
        }
        if (loan.fingerprint() != before) {
            report.backend("post modified the segment arrays");
        }
        loan.poison();
        if (result != ACCEPTED) {
            pending.notAccepted(operation.token());
            if (result < WOULD_BLOCK || result > ErrorCode.values().length) {
                report.backend("post returned " + result + ", which is neither a code nor an error number");
            }
        }
        return result;
    }

    @Override
    public boolean fence(long deadlineNanos) {
        backend.enter("fence");
        backend.deadline("fence", deadlineNanos);
        boolean quiet = super.fence(deadlineNanos);
        if (quiet) {
            expectNothingPending("fence");
        }
        return quiet;
    }

    private void expectNothingPending(String call) {
        int left = pending.inFlight(this);
        if (left > 0) {
            report.backend(
                    call + " of the link to " + peer + " left " + left + " accepted operations without completion");
        }
    }

    @Override
    public boolean cancel(long token) {
        backend.enter("cancel");
        return super.cancel(token);
    }

    @Override
    public void close() {
        super.close();
        expectNothingPending("close");
    }
}
