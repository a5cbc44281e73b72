package io.weft.kv.internal.memory;

import io.weft.api.ErrorCode;
import io.weft.api.WeftException;
import io.weft.kv.layout.BufferSpec;
import io.weft.kv.layout.KvArgs;
import io.weft.kv.layout.StateSpec;
import java.util.ArrayList;
import java.util.List;

/**
 * What of a decode rank's memory is leased to rooms, so that pages of an unfinished room are never named by another (rule KV-4).
 * Safe from any thread.
 */
public final class PageLedger {
    private final IndexSet pages;
    private final IndexSet rows;
    private final List<IndexSet> state = new ArrayList<>();

    /**
     * A ledger in which nothing is leased.
     *
     * @param args the rank's buffers
     */
    public PageLedger(KvArgs args) {
        pages = new IndexSet("page", items(args.kv()));
        rows = new IndexSet("aux row", items(args.aux()));
        for (StateSpec component : args.state()) {
            state.add(new IndexSet("state item of " + component.type().wireName(), items(component.tensors())));
        }
    }

    /**
     * Leases memory, all of it or none.
     *
     * @param wanted what
     * @throws WeftException INVALID_ARGUMENT for an index outside the buffers or named twice; RESOURCE_EXHAUSTED for one that is
     *     leased
     */
    public synchronized void lease(Wanted wanted) {
        if (wanted.state().length > state.size()) {
            throw new WeftException(
                    ErrorCode.INVALID_ARGUMENT,
                    wanted.state().length + " state components named, there are " + state.size());
        }
        List<Runnable> undo = new ArrayList<>();
        try {
            add(pages, wanted.pages(), undo);
            add(rows, row(wanted), undo);
            for (int i = 0; i < wanted.state().length; i++) {
                add(state.get(i), wanted.state()[i], undo);
            }
        } catch (WeftException refused) {
            undo.forEach(Runnable::run);
            throw refused;
        }
    }

    /**
     * Gives memory back.
     *
     * @param wanted what was leased
     */
    public synchronized void release(Wanted wanted) {
        pages.remove(wanted.pages());
        rows.remove(row(wanted));
        for (int i = 0; i < wanted.state().length; i++) {
            state.get(i).remove(wanted.state()[i]);
        }
    }

    /**
     * Pages now leased.
     *
     * @return a count
     */
    public synchronized int leasedPages() {
        return pages.size();
    }

    private static void add(IndexSet set, int[] indices, List<Runnable> undo) {
        set.add(indices);
        undo.add(() -> set.remove(indices));
    }

    private static int[] row(Wanted wanted) {
        return wanted.auxRow() < 0 ? new int[0] : new int[] {wanted.auxRow()};
    }

    private static int items(List<BufferSpec> buffers) {
        return buffers.stream().mapToInt(BufferSpec::items).min().orElse(0);
    }
}
