package io.weft.replay.pages;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * One side's page table: a pool of pages, a prefix cache over it with least-recently-used eviction, and leases.
 *
 * <p>All ranks of a side hold the same pages under the same ids, so one table serves them. Safe from any thread.
 */
public final class BlockCache {
    private final int pagesPerBlock;
    private final int blockCapacity;
    private final ArrayDeque<int[]> free = new ArrayDeque<>();
    /** Blocks that nobody leases, eldest first. */
    private final LinkedHashMap<Long, Block> idle = new LinkedHashMap<>();
    /** Blocks that can be hit, leased or not. */
    private final Map<Long, Block> ready = new HashMap<>();

    private long epoch;
    private int quarantined;

    /**
     * Makes a table whose pages are all free.
     *
     * @param pages pages in the pool
     * @param pagesPerBlock pages of a block
     */
    public BlockCache(int pages, int pagesPerBlock) {
        this.pagesPerBlock = pagesPerBlock;
        this.blockCapacity = pages / pagesPerBlock;
        for (int b = 0; b < blockCapacity; b++) {
            int[] run = new int[pagesPerBlock];
            for (int p = 0; p < pagesPerBlock; p++) {
                run[p] = b * pagesPerBlock + p;
            }
            free.add(run);
        }
    }

    /**
     * Leases the blocks of a prompt; evicts what nobody leases if the pool is short.
     *
     * @param hashes the prompt's blocks
     * @return the lease, empty if there are not enough pages now
     */
    public synchronized Optional<Lease> tryLease(long[] hashes) {
        int hits = 0;
        while (hits < hashes.length && ready.containsKey(hashes[hits])) {
            hits++;
        }
        List<Block> blocks = new ArrayList<>(hashes.length);
        for (int i = 0; i < hits; i++) {
            Block hit = Objects.requireNonNull(ready.get(hashes[i]));
            hit.leases++;
            idle.remove(hit.hash());
            blocks.add(hit);
        }
        int missing = hashes.length - hits;
        if (free.size() + idle.size() < missing) {
            blocks.forEach(this::drop);
            return Optional.empty();
        }
        for (int i = hits; i < hashes.length; i++) {
            Block fresh = new Block(hashes[i], takePages());
            fresh.leases = 1;
            blocks.add(fresh);
        }
        return Optional.of(new Lease(blocks, hits, epoch));
    }

    /**
     * Whether a prompt could ever be leased.
     *
     * @param blocks blocks of the prompt
     * @return true if the whole pool is large enough, quarantined pages not counted
     */
    public synchronized boolean canHold(int blocks) {
        return blocks <= blockCapacity - quarantined;
    }

    private int[] takePages() {
        int[] pages = free.poll();
        if (pages != null) {
            return pages;
        }
        Block eldest = idle.pollFirstEntry().getValue();
        ready.remove(eldest.hash());
        return eldest.pages();
    }

    /**
     * Gives a lease back after success: its blocks can be hit from now on.
     *
     * @param lease a lease of this table
     */
    public synchronized void publish(Lease lease) {
        for (Block block : lease.missing()) {
            if (lease.epoch() == epoch && ready.putIfAbsent(block.hash(), block) == null) {
                block.cached = true;
            }
        }
        lease.blocks().forEach(this::drop);
        notifyAll();
    }

    /**
     * Gives a lease back after failure: what was hit stays, what was new is free again.
     *
     * @param lease a lease of this table
     */
    public synchronized void discard(Lease lease) {
        lease.blocks().forEach(this::drop);
        notifyAll();
    }

    /**
     * Gives a lease back whose new pages may still be written to: they are never handed out again.
     *
     * @param lease a lease of this table
     */
    public synchronized void quarantine(Lease lease) {
        lease.blocks().subList(0, lease.hits()).forEach(this::drop);
        quarantined += lease.missing().size();
        notifyAll();
    }

    private void drop(Block block) {
        block.leases--;
        if (block.leases > 0) {
            return;
        }
        if (block.cached && ready.get(block.hash()) == block) {
            idle.put(block.hash(), block);
        } else {
            free.add(block.pages());
        }
    }

    /** Forgets what is cached, since a rank that held it is gone. Leases stay valid as leases. */
    public synchronized void invalidate() {
        epoch++;
        idle.values().forEach(block -> free.add(block.pages()));
        idle.clear();
        ready.clear();
        notifyAll();
    }

    /**
     * Waits for a lease to come back. Blocks at most the timeout.
     *
     * @param millis the bound, at least 1
     * @throws InterruptedException if interrupted
     */
    @SuppressWarnings("WaitNotInLoop") // the caller's loop tries to lease again
    public synchronized void awaitReturn(long millis) throws InterruptedException {
        wait(millis);
    }

    /**
     * Pages that nobody leases.
     *
     * @return free and evictable pages
     */
    public synchronized int available() {
        return (free.size() + idle.size()) * pagesPerBlock;
    }
}
