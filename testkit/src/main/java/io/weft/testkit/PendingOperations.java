package io.weft.testkit;

import io.weft.api.ErrorCode;
import io.weft.spi.CompletionSink;
import io.weft.spi.Link;
import io.weft.spi.LocalMemory;
import io.weft.spi.Operation;
import io.weft.spi.RemoteMemory;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Accepted and not completed operations of one backend; sits between the backend and core's sink. Safe from any thread. */
final class PendingOperations implements CompletionSink {
    private static final int HIGHEST_CODE = ErrorCode.values().length;

    /** An operation from just before it is posted until its completion. */
    private static final class Pending {
        final Link link;
        final Set<Object> memories = Collections.newSetFromMap(new IdentityHashMap<>());
        volatile boolean completed;

        Pending(Link link, Operation operation) {
            this.link = link;
            for (int run = 0; run < operation.runCount(); run++) {
                memories.add(operation.local(run));
                memories.add(operation.remote(run));
            }
        }
    }

    private final AssertingProvider report;
    private final CompletionSink core;
    private final Map<Long, Pending> byToken = new ConcurrentHashMap<>();
    private volatile boolean closed;

    PendingOperations(AssertingProvider report, CompletionSink core) {
        this.report = report;
        this.core = core;
    }

    void beforePost(Link link, Operation operation) {
        if (byToken.putIfAbsent(operation.token(), new Pending(link, operation)) != null) {
            report.core("token " + operation.token() + " posted again before it was completed");
        }
    }

    void notAccepted(long token) {
        Pending pending = byToken.remove(token);
        if (pending == null || pending.completed) {
            report.backend("token " + token + " was completed though post did not accept it");
        }
    }

    /** Whether it was accepted cannot be known. */
    void forget(long token) {
        byToken.remove(token);
    }

    int inFlight(Link link) {
        return (int) byToken.values().stream().filter(p -> p.link == link).count();
    }

    boolean uses(LocalMemory memory) {
        return byToken.values().stream().anyMatch(p -> p.memories.contains(memory));
    }

    boolean uses(RemoteMemory memory) {
        return byToken.values().stream().anyMatch(p -> p.memories.contains(memory));
    }

    /** After this the backend must be silent, and everything must have been completed. */
    void close() {
        closed = true;
        if (!byToken.isEmpty()) {
            report.backend("close left " + byToken.size() + " accepted operations without completion");
        }
    }

    @Override
    public void complete(long[] tokens, int[] codes, long[] nativeCodes, int count) {
        if (count < 0 || count > tokens.length || count > codes.length || count > nativeCodes.length) {
            report.backend("completion of " + count + " entries in arrays of " + tokens.length + ", " + codes.length
                    + " and " + nativeCodes.length);
            return;
        }
        for (int i = 0; i < count; i++) {
            check(tokens[i], codes[i]);
        }
        core.complete(tokens, codes, nativeCodes, count);
    }

    @Override
    public void complete(long token, int code, long nativeCode) {
        check(token, code);
        core.complete(token, code, nativeCode);
    }

    private void check(long token, int code) {
        if (code < 0 || code > HIGHEST_CODE) {
            report.backend("token " + token + " completed with code " + code + ", codes are 0 to " + HIGHEST_CODE);
        }
        if (closed) {
            report.backend("token " + token + " completed after close returned");
        }
        Pending pending = byToken.remove(token);
        if (pending == null) {
            report.backend("token " + token + " completed twice, or never accepted");
        } else {
            pending.completed = true;
        }
    }
}
