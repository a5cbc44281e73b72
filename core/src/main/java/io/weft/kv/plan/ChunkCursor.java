package io.weft.kv.plan;

import java.util.Optional;

/**
 * Cuts a prompt into the chunks that a prefill scheduler sends: from the prefix that decode already holds, whole pages
 * only, a partial page waiting for the last chunk.
 *
 * <p>Confined to one thread.
 *
 * @since 0.1
 */
public final class ChunkCursor {
    private final int totalTokens;
    private final int pageSize;
    private int sentTokens;
    private int sentPages;

    /**
     * A chunk to send.
     *
     * @param tokens token positions
     * @param pages positions in the receiver's page list
     * @param last whether the room is complete with it
     * @since 0.1
     */
    public record Chunk(Range tokens, Range pages, boolean last) {}

    /**
     * Starts behind the prefix.
     *
     * @param totalTokens tokens of the prompt
     * @param prefixTokens tokens that decode holds, a multiple of the page size unless it is all of them
     * @param pageSize tokens per page
     * @throws io.weft.api.WeftException INVALID_ARGUMENT for a prefix that does not end at a page
     */
    public ChunkCursor(int totalTokens, int prefixTokens, int pageSize) {
        boolean aligned = pageSize > 0 && (prefixTokens % pageSize == 0 || prefixTokens == totalTokens);
        if (!aligned || prefixTokens < 0 || prefixTokens > totalTokens) {
            throw Refusal.invalid(
                    "prefix of %d tokens in a prompt of %d: must end at a page of %d tokens, or page ids would be wrong",
                    prefixTokens, totalTokens, pageSize);
        }
        this.totalTokens = totalTokens;
        this.pageSize = pageSize;
        this.sentTokens = prefixTokens;
    }

    /**
     * Pages that will be sent in all.
     *
     * @return a count
     */
    public int totalPages() {
        return sentPages + pages(totalTokens - sentTokens);
    }

    /**
     * The next chunk.
     *
     * @param endTokens tokens computed so far
     * @return the chunk, empty if there is nothing to send yet
     */
    public Optional<Chunk> advance(int endTokens) {
        boolean last = endTokens >= totalTokens;
        int end = last ? totalTokens : endTokens - endTokens % pageSize;
        if (end < sentTokens || (end == sentTokens && !last)) {
            return Optional.empty();
        }
        int count = pages(end - sentTokens);
        Chunk chunk = new Chunk(new Range(sentTokens, end), Range.of(sentPages, count), last);
        sentTokens = end;
        sentPages += count;
        return Optional.of(chunk);
    }

    /**
     * Page ids of token slots: every page-size-th slot divided by the page size.
     *
     * @param slots token slots, page by page
     * @param pageSize tokens per page
     * @return page ids
     */
    public static int[] pageIds(int[] slots, int pageSize) {
        int[] ids = new int[(slots.length + pageSize - 1) / pageSize];
        for (int i = 0; i < ids.length; i++) {
            ids[i] = slots[i * pageSize] / pageSize;
        }
        return ids;
    }

    private int pages(int tokens) {
        return (tokens + pageSize - 1) / pageSize;
    }
}
