package io.weft.kv;

import org.jspecify.annotations.Nullable;

/**
 * The prefill side of one room. Implemented by Weft only.
 *
 * <p>Threading: all methods are safe from any thread and none blocks. A room that fails does so by its status; no call throws for
 * what a peer or the network did.
 *
 * @since 0.1
 */
public interface KvSender {
    /**
     * The room.
     *
     * @return an unsigned 64-bit value
     */
    long room();

    /**
     * Says what the room consists of. Not needed if every chunk says whether it is the last one and only one CP rank sends.
     *
     * @param pages pages of the whole room, without those that decode already holds
     * @param auxRow source aux row, -1 for none
     */
    void init(int pages, int auxRow);

    /**
     * Queues a chunk. Chunks go out in order once the room is {@link KvPoll#WAITING_FOR_INPUT}.
     *
     * @param chunk the chunk
     */
    void send(KvChunk chunk);

    /**
     * Queues a chunk which is the last one if the room's pages are complete with it.
     *
     * @param pages source page ids
     */
    void send(int[] pages);

    /**
     * The status now.
     *
     * @return the status; it only moves forward
     */
    KvPoll poll();

    /**
     * Tokens that decode already holds, meaningful from {@link KvPoll#WAITING_FOR_INPUT} on.
     *
     * @return tokens, 0 for none
     */
    int prefixTokens();

    /** Gives the room up and tells the decode ranks. Idempotent; without effect on a room that ended. */
    void abort();

    /**
     * Why the room failed.
     *
     * @return the failure, null unless {@link KvPoll#FAILED}
     */
    @Nullable
    KvTransferException failure();

    /**
     * Bytes handed to the fabric so far.
     *
     * @return bytes
     */
    long bytes();

    /**
     * The hold on the source pages.
     *
     * @return the lease; released when nothing reads the pages any more
     */
    MemoryLease lease();

    /** Forgets the room; one that has not ended is aborted first. Idempotent. */
    void clear();
}
