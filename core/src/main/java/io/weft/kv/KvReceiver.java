package io.weft.kv;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The decode side of one room. Implemented by Weft only.
 *
 * <p>Threading: all methods are safe from any thread and none blocks. A room that fails does so by its status; no call throws for
 * what a peer or the network did.
 *
 * @since 0.1
 */
public interface KvReceiver {
    /** Lets the manager find out which DP rank serves the room. */
    int ANY_DP_RANK = -1;

    /**
     * The room.
     *
     * @return an unsigned 64-bit value
     */
    long room();

    /**
     * Starts to look the prefill ranks up. The status becomes {@link KvPoll#WAITING_FOR_INPUT} once they are known.
     *
     * @param prefillDpRank the DP rank that serves the room, or {@link #ANY_DP_RANK}
     */
    void init(int prefillDpRank);

    /**
     * Names the trace of the request. It goes to the prefill ranks with the metadata, and what they know of the room's transfers
     * becomes spans below it ({@link PrefillManager#spans}). Older peers do not notice it.
     *
     * @param value a W3C {@code traceparent}; to be called before {@link #sendMetadata}, later calls change nothing
     * @throws io.weft.api.WeftException INVALID_ARGUMENT if it has not that form
     */
    void traceparent(String value);

    /**
     * Says where the bytes go; sent to the prefill ranks as soon as they are known. From here on the named memory is leased.
     *
     * @param pages destination page ids, copied
     * @param auxRow destination aux row, -1 for none
     * @param state destination state indices per component, a null entry for a component without; null for none at all
     * @param prefixTokens tokens that this rank already holds
     * @throws io.weft.api.WeftException RESOURCE_EXHAUSTED if some of the memory is leased to another room: wait for its
     *     release and call again; INVALID_ARGUMENT for an index outside the buffers, one named twice, or a second call
     */
    void sendMetadata(int[] pages, int auxRow, @Nullable List<int @Nullable []> state, int prefixTokens);

    /**
     * The status now.
     *
     * @return the status; it only moves forward and is never {@link KvPoll#TRANSFERRING}
     */
    KvPoll poll();

    /** Gives the room up and tells the prefill ranks. Idempotent; without effect on a room that ended. */
    void abort();

    /**
     * Why the room failed.
     *
     * @return the failure, null unless {@link KvPoll#FAILED}
     */
    @Nullable
    KvTransferException failure();

    /**
     * The hold on the destination memory.
     *
     * @return the lease; released when no prefill rank can write there any more for this room
     */
    MemoryLease lease();

    /** Forgets the room; one that has not ended is aborted first. Its lease may outlive it. Idempotent. */
    void clear();
}
