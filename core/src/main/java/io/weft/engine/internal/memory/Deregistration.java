package io.weft.engine.internal.memory;

import io.weft.api.ErrorCode;
import io.weft.api.WeftException;
import io.weft.engine.internal.backend.OpenBackend;
import io.weft.engine.internal.concurrent.Waiting;
import io.weft.spi.EngineClock;
import io.weft.spi.LocalMemory;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Takes a region back, in the order that rule REG-4 and REG-5 demand: no new use, transfers end or are cancelled, peers that
 * hold a key let go or are cut off, then the backends, then the memory.
 */
final class Deregistration {
    /** Peers are told this much ahead of the bound, so that their answer is in time. */
    private static final long ANSWER_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    private final List<OpenBackend> backends;
    private final RegionUsers users;
    private final EngineClock clock;

    Deregistration(List<OpenBackend> backends, RegionUsers users, EngineClock clock) {
        this.backends = backends;
        this.users = users;
        this.clock = clock;
    }

    void run(LocalRegion region, long timeoutNanos, Runnable gone) {
        long quiesce =
                backends.stream().mapToLong(OpenBackend::quiesceNanos).max().orElse(ANSWER_NANOS);
        long patience = clock.nanos() + timeoutNanos;
        if (!region.closing().begin()) {
            awaitOther(region, patience + 3 * quiesce);
            return;
        }
        try {
            Map<KeyHolder, CompletableFuture<Void>> answers = tellHolders(region, patience + ANSWER_NANOS);
            List<String> held = new ArrayList<>();
            if (!endTransfers(region, patience, quiesce)) {
                held.add("a transfer of this engine that uses it did not end");
            }
            held.addAll(cutOffSilent(region, answers, patience + ANSWER_NANOS, quiesce));
            if (!await(region.unused(), Math.max(patience, clock.nanos()) + quiesce)) {
                held.add("a copy between it and staging memory did not end");
            }
            held.addAll(letGo(region, clock.nanos() + quiesce));
            gone.run();
            if (!held.isEmpty()) {
                throw new WeftException(
                        ErrorCode.INTERNAL,
                        "deregister " + region + ": " + String.join("; ", held)
                                + "; the memory must not be freed while the process lives");
            }
            free(region);
            region.closing().succeeded();
        } catch (WeftException failed) {
            region.closing().failed(failed);
            throw failed;
        }
    }

    private static Map<KeyHolder, CompletableFuture<Void>> tellHolders(LocalRegion region, long deadline) {
        Map<KeyHolder, CompletableFuture<Void>> answers = new HashMap<>();
        region.holders().keySet().forEach(holder -> answers.put(holder, holder.revoke(region.id(), deadline)));
        return answers;
    }

    private boolean endTransfers(LocalRegion region, long patience, long quiesce) {
        CompletableFuture<Void> unused = users.unused(region);
        boolean inTime = await(unused, patience);
        region.refuseTransfers();
        // Once more, for those that came to another peer while this one was asked.
        unused = users.unused(region);
        if (inTime && await(unused, patience)) {
            return true;
        }
        users.cancelUses(region, "the local " + region + " was deregistered");
        // Every cancel ends within its grace and a fence; what does not is a backend's defect.
        return await(unused, clock.nanos() + 2 * quiesce);
    }

    private List<String> cutOffSilent(
            LocalRegion region, Map<KeyHolder, CompletableFuture<Void>> answers, long deadline, long quiesce) {
        List<String> held = new ArrayList<>();
        // A peer that fetched the key after the others were told saw the region closing, and was refused or is here
        // now.
        region.holders().forEach((holder, bits) -> {
            CompletableFuture<Void> answer = answers.get(holder);
            if (answer != null && await(answer, deadline)) {
                return;
            }
            for (OpenBackend backend : backends) {
                if ((bits >> backend.index() & 1) == 1 && !holder.cutOff(backend, clock.nanos() + quiesce)) {
                    held.add("peer " + holder.key() + " did not confirm that it lets go, and backend " + backend.name()
                            + " could not cut it off");
                }
            }
        });
        return held;
    }

    private List<String> letGo(LocalRegion region, long deadline) {
        List<String> held = new ArrayList<>();
        for (OpenBackend backend : backends) {
            LocalMemory memory = region.memory(backend.index());
            if (memory == null) {
                continue;
            }
            try {
                if (!backend.guard().call("deregister", () -> backend.spi().deregister(memory, deadline))) {
                    held.add("backend " + backend.name() + " still holds it");
                }
            } catch (WeftException refused) {
                if (backend.isClosedBy(deadline)) {
                    continue; // and holds nothing any more
                }
                held.add("backend " + backend.name() + " still holds it: " + refused.getMessage());
            }
        }
        return held;
    }

    private static void free(LocalRegion region) {
        Arena arena = region.arena();
        if (arena != null) {
            try {
                arena.close();
            } catch (IllegalStateException inUse) {
                throw new WeftException(
                        ErrorCode.INTERNAL,
                        "free " + region + ": some thread is inside its memory, so it stays allocated",
                        inUse);
            }
        }
    }

    private void awaitOther(LocalRegion region, long deadline) {
        CompletableFuture<Void> ended = region.closing().ended();
        if (await(ended, deadline)) {
            return;
        }
        if (!ended.isCompletedExceptionally()) {
            throw new WeftException(
                    ErrorCode.INTERNAL,
                    "deregister " + region + ": another thread's deregistration did not end in time; the memory must"
                            + " not be freed yet");
        }
        Throwable failed = ended.exceptionNow();
        if (failed instanceof WeftException why) {
            throw new WeftException(why.code(), String.valueOf(why.getMessage()), why);
        }
        throw new IllegalStateException(failed);
    }

    /** Interrupts do not shorten it: memory must not be freed because somebody is in a hurry. */
    private boolean await(CompletableFuture<Void> future, long deadline) {
        return Waiting.await(future, clock, deadline);
    }
}
