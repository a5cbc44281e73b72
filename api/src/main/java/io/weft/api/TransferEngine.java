package io.weft.api;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Moves bytes between registered memory of this process and of its peers. Implemented by Weft only.
 *
 * <p><b>Threading.</b> All methods are safe from any number of threads (rule CON-1). Transfer calls never wait for the
 * network: they validate, queue and return. Registration, {@link #session} and {@link #close} may block, always bounded.
 *
 * <p><b>Errors.</b> Transfer calls return a {@link Transfer} for every outcome, bad arguments, a full queue and a closed
 * engine included; only a null reference throws. The other calls throw {@link WeftException} (rule ERR-1).
 *
 * <p><b>Life cycle</b> (rule LIFE-1). OPEN, then CLOSING, then CLOSED. From CLOSING on, transfer calls give a transfer
 * FAILED with {@link ErrorCode#CLOSED}; calls that throw, throw that code; queries go on answering; close is idempotent.
 *
 * @since 0.1
 */
public interface TransferEngine extends AutoCloseable {
    /**
     * How peers reach this engine.
     *
     * @return the descriptor, with the real port
     */
    EngineDescriptor descriptor();

    /**
     * Registers host memory. Blocks while backends pin it.
     *
     * @param memory native memory; heap segments are refused. It stays the caller's
     * @param options rights
     * @return the region
     * @throws WeftException INVALID_ARGUMENT for empty, heap or overflowing memory (rule REG-2); RESOURCE_EXHAUSTED or
     *     PERMISSION when a fabric refuses (rule REG-6); CLOSED
     */
    Region register(MemorySegment memory, RegisterOptions options);

    /**
     * Registers memory by address, as device memory or memory of a foreign runtime. Blocks while backends pin it.
     *
     * @param address first address
     * @param length bytes
     * @param location kind and device
     * @param options rights
     * @return the region
     * @throws WeftException as {@link #register(MemorySegment, RegisterOptions)}; UNSUPPORTED when no backend and no
     *     staging can move that kind
     */
    Region register(long address, long length, MemoryLocation location, RegisterOptions options);

    /**
     * Allocates zeroed memory and registers it. The engine owns the memory until the region is deregistered.
     *
     * @param location kind and device
     * @param length bytes
     * @param options rights, pages, NUMA node
     * @return the region
     * @throws WeftException RESOURCE_EXHAUSTED when memory or pages are short, saying what to raise; else as register
     */
    Region allocate(MemoryLocation location, long length, RegisterOptions options);

    /**
     * Makes a peer known. Connects nothing (rule PEER-1). Adding the same descriptor again changes nothing; another
     * descriptor with the same key replaces the old one, whose transfers end as with {@link #removePeer}.
     *
     * @param peer the peer's descriptor
     * @throws WeftException INVALID_ARGUMENT for an empty key, a wildcard or unparsable host or a port outside 1 to 65535;
     *     CLOSED
     */
    void addPeer(EngineDescriptor peer);

    /**
     * Forgets a peer: cancels its transfers, closes links, frees keys. Idempotent; bounded (rule PEER-4).
     *
     * @param peerKey the peer's wire key
     */
    void removePeer(String peerKey);

    /**
     * What is known of a peer.
     *
     * @param peerKey the peer's wire key
     * @return its state, empty if it was never added
     */
    Optional<PeerState> peerState(String peerKey);

    /**
     * Writes one segment from a local to a remote region.
     *
     * @param local source region
     * @param localOffset byte offset in it
     * @param remote destination region of an added peer or of this engine
     * @param remoteOffset byte offset in it
     * @param length bytes, 0 allowed (rule WR-6)
     * @param options how
     * @return the transfer
     */
    Transfer write(
            Region local,
            long localOffset,
            MemoryDescriptor remote,
            long remoteOffset,
            long length,
            TransferOptions options);

    /**
     * Reads one segment from a remote into a local region.
     *
     * @param local destination region
     * @param localOffset byte offset in it
     * @param remote source region of an added peer or of this engine
     * @param remoteOffset byte offset in it
     * @param length bytes, 0 allowed (rule RD-6)
     * @param options how
     * @return the transfer
     */
    Transfer read(
            Region local,
            long localOffset,
            MemoryDescriptor remote,
            long remoteOffset,
            long length,
            TransferOptions options);

    /**
     * Writes several batches, one transfer for each (MORI-IO's shape). One failing leaves the others alone (rule WR-8).
     *
     * @param batches region pairs with their segments
     * @param options for each transfer; with a caller-chosen id it applies to the first one, the following count up
     * @return one transfer per element, in order
     */
    List<Transfer> batchWrite(List<PairTransfer> batches, TransferOptions options);

    /**
     * Reads several batches, one transfer for each.
     *
     * @param batches region pairs with their segments
     * @param options as in {@link #batchWrite}
     * @return one transfer per element, in order
     */
    List<Transfer> batchRead(List<PairTransfer> batches, TransferOptions options);

    /**
     * Writes many region pairs that share segment tables as one transfer with one status and one notification (rule
     * WR-11). All remote regions belong to one peer.
     *
     * @param parts pairs and their shared table
     * @param options how
     * @return one transfer
     */
    Transfer writeMulti(List<SharedSegments> parts, TransferOptions options);

    /**
     * Reads many region pairs that share segment tables as one transfer (rule RD-11).
     *
     * @param parts pairs and their shared table
     * @param options how
     * @return one transfer
     */
    Transfer readMulti(List<SharedSegments> parts, TransferOptions options);

    /**
     * Prepares a pair: chooses the route, brings the link up, fetches the key. Blocks at most the connect timeout.
     *
     * @param local a region of this engine
     * @param remote a region of an added peer or of this engine
     * @return a session
     * @throws WeftException NOT_REGISTERED, STALE_DESCRIPTOR, UNREACHABLE, UNSUPPORTED, INCOMPATIBLE, AUTHENTICATION, CLOSED
     */
    TransferSession session(Region local, MemoryDescriptor remote);

    /**
     * Waits for several transfers (rule WT-2). Blocks at most the timeout; does not cancel what is left.
     *
     * @param transfers the transfers; an empty list succeeds
     * @param timeout one bound for all; zero or negative only polls
     * @return the outcome
     * @throws InterruptedException if interrupted while one was in progress; nothing is disturbed
     */
    AwaitResult awaitAll(List<? extends Transfer> transfers, Duration timeout) throws InterruptedException;

    /**
     * A transfer id not used before in this incarnation.
     *
     * @return a new id
     */
    long nextTransferId();

    /**
     * Takes the end of an inbound transfer, exactly once (rule IN-1). Bounded in count and age.
     *
     * @param peerKey the initiator's wire key
     * @param transferId the initiator's transfer id
     * @return the end, empty if it has not come, was taken, or aged out
     */
    Optional<InboundTransfer> takeInbound(String peerKey, long transferId);

    /**
     * Takes the oldest notifications that nobody took.
     *
     * @param max most to take
     * @return notifications in arrival order
     */
    List<Notification> takeNotifications(int max);

    /**
     * Sends every further notification to a listener instead of the queue. Those queued before are delivered first.
     *
     * @param listener called on the engine's executor, one at a time per peer; what it throws is logged
     */
    void onNotification(Consumer<? super Notification> listener);

    /**
     * Cuts a peer off from this engine's memory: when it returns true, nothing the peer posted before can reach memory
     * here any more (rule DL-5). Transfers under way in either direction end with PEER_LOST, since one that went on
     * over a rebuilt link would reach the memory after all. The next transfer connects anew.
     *
     * @param peerKey the peer's wire key
     * @param timeout the bound
     * @return whether every backend confirmed within the bound
     */
    boolean fence(String peerKey, Duration timeout);

    /**
     * Cuts every peer off from this engine's memory, as {@link #fence} does one: for a writer whose key is not known, as
     * that of a plain peer which only ever dialled in.
     *
     * @param timeout the bound
     * @return whether every backend confirmed for every peer within the bound
     */
    boolean fenceAll(Duration timeout);

    /**
     * Tells which path a transfer would take and why the others would not.
     *
     * @param peerKey a peer's wire key, or this engine's own
     * @param local local memory kind
     * @param remote remote memory kind
     * @return every candidate with verdict and evidence
     */
    SelectionReport explain(String peerKey, MemoryKind local, MemoryKind remote);

    /**
     * Counts since opening.
     *
     * @return a snapshot
     */
    EngineStats stats();

    /**
     * Closes: ends what is in flight with {@link ErrorCode#CLOSED}, deregisters memory, closes links and backends, ends
     * threads (rules BP-3, CON-3). Idempotent; bounded by the timeout plus the backends' declared quiesce times.
     *
     * @param timeout how long transfers in flight may go on
     */
    void close(Duration timeout);

    /** {@link #close(Duration)} with the engine's configured timeout. */
    @Override
    void close();
}
