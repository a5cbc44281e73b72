package io.weft.replay.run;

import io.weft.replay.model.StateGeometry;
import io.weft.replay.pages.BlockCache;
import io.weft.replay.pages.Lease;
import io.weft.replay.pages.SlotPool;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** Pages, aux rows and state slots of one side. All its ranks use the same ids. Safe from any thread. */
final class Resources {
    final BlockCache cache;
    private final SlotPool aux;
    private final List<SlotPool> states = new ArrayList<>();
    private final List<StateGeometry> geometries;
    private final AtomicInteger usableRows;

    /** What one request holds at one side. */
    record Held(Lease lease, int[] auxSlot, List<int[]> stateSlots) {}

    Resources(int pages, int pagesPerBlock, int requests, List<StateGeometry> geometries) {
        this.cache = new BlockCache(pages, pagesPerBlock);
        this.aux = new SlotPool(requests);
        this.geometries = geometries;
        this.usableRows = new AtomicInteger(requests);
        geometries.forEach(state -> states.add(new SlotPool(requests * state.itemsPerRequest())));
    }

    Optional<Held> tryTake(long[] hashes) {
        Optional<int[]> slot = aux.tryTake(1);
        if (slot.isEmpty()) {
            return Optional.empty();
        }
        Optional<Lease> lease = cache.tryLease(hashes);
        if (lease.isEmpty()) {
            aux.give(slot.get());
            return Optional.empty();
        }
        List<int[]> stateSlots = new ArrayList<>();
        for (int c = 0; c < states.size(); c++) {
            // There are as many state slots as aux rows allow, so this cannot fail once a row is held.
            stateSlots.add(
                    states.get(c).tryTake(geometries.get(c).itemsPerRequest()).orElseThrow());
        }
        return Optional.of(new Held(lease.get(), slot.get(), stateSlots));
    }

    /** Whether a prompt can be leased once others have ended. */
    boolean canHold(int blocks) {
        return usableRows.get() > 0 && cache.canHold(blocks);
    }

    /** Keeps what may still be written to: neither its pages nor its rows are handed out again. */
    void quarantine(Lease lease) {
        usableRows.decrementAndGet();
        cache.quarantine(lease);
    }

    void giveSlots(Held held) {
        for (int c = 0; c < states.size(); c++) {
            states.get(c).give(held.stateSlots().get(c));
        }
        aux.give(held.auxSlot());
    }
}
