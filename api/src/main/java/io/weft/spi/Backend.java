package io.weft.spi;

import io.weft.api.MemoryDescriptor;
import io.weft.api.WeftException;
import java.util.List;
import java.util.Optional;

/**
 * A fabric opened for one engine. Implemented by vendors.
 *
 * <p><b>Life cycle</b> (rule LIFE-1): open, then (register, connect, transfer) in any order, then {@link #close}. After
 * close core calls nothing but {@link #close}.
 *
 * <p><b>Threading.</b> Safe from any thread. Methods that take a deadline or say "may block" are called on control threads
 * (virtual ones included, so they must not pin a carrier for long under a monitor); all others must not block. Core holds no
 * lock during any call.
 *
 * <p><b>Errors.</b> {@link WeftException} where said. Any other Throwable is reported as INTERNAL naming this backend (rule
 * ERR-3).
 *
 * @since 0.1
 */
public interface Backend extends AutoCloseable {
    /**
     * What it can do.
     *
     * @return an unchanging value
     */
    Capabilities capabilities();

    /**
     * What fits.
     *
     * @return an unchanging value
     */
    Limits limits();

    /**
     * This side's address for peers, carried in core's hello and seen by peers as {@link Peer#address}.
     *
     * @return at most 4 096 opaque bytes, may be empty
     */
    byte[] localAddress();

    /**
     * Registers memory. May block (pinning). Called only for kinds that appear in {@link #capabilities}.
     *
     * @param spec what to register; its memory stays valid until {@link #deregister} returned
     * @return a handle
     * @throws WeftException RESOURCE_EXHAUSTED or PERMISSION with what to raise (rule REG-6); UNSUPPORTED
     */
    LocalMemory register(MemorySpec spec);

    /**
     * Lets memory go. When it returns true no peer can reach the memory through keys exported for it, and nothing here
     * touches it (rules REG-4, DL-5). Core has ended all local operations on it before. May block up to the deadline.
     *
     * @param memory a handle of this backend
     * @param deadlineNanos a value of the context's {@link EngineClock}
     * @return whether the memory is free; false makes core report that this backend still holds it
     */
    boolean deregister(LocalMemory memory, long deadlineNanos);

    /**
     * What one peer needs to reach the memory: an rkey, a memory id. Fetched by the peer over core's control connection. The
     * keys of different peers may differ, so that {@link #fencePeer} can make one peer's useless and leave the others alone;
     * they die with the memory's registration or with the peer's fence, whichever comes first. May block (a registration per
     * peer) up to a second.
     *
     * @param peer who asks
     * @param memory a handle of this backend
     * @return at most 4 096 opaque bytes, may be empty
     * @throws WeftException RESOURCE_EXHAUSTED when the fabric is out of keys
     */
    byte[] exportKey(Peer peer, LocalMemory memory);

    /**
     * Makes a handle of a peer's region. May block up to the connect timeout if the backend must ask the peer itself (plain
     * MORI-IO peers, for which the key is empty).
     *
     * @param peer the owner
     * @param descriptor the region
     * @param key what the peer's {@link #exportKey} gave
     * @return a handle for use on links to that peer
     * @throws WeftException DECODE_ERROR for a key that cannot be read; REMOTE_ACCESS if the peer does not know the region
     */
    RemoteMemory importKey(Peer peer, MemoryDescriptor descriptor, byte[] key);

    /**
     * Frees a handle: revoked by the peer, evicted, or the peer is gone. No operation with it is in flight.
     *
     * @param memory a handle made by {@link #importKey}
     */
    default void releaseKey(RemoteMemory memory) {}

    /**
     * Brings up a link. May block up to the deadline. Core connects at most one link per peer at a time.
     *
     * @param peer whom to reach
     * @param events where the link reports
     * @param deadlineNanos a value of the context's {@link EngineClock}
     * @return a link that is UP
     * @throws WeftException UNREACHABLE, INCOMPATIBLE, AUTHENTICATION, RESOURCE_EXHAUSTED, FABRIC with native code
     */
    Link connect(Peer peer, LinkEvents events, long deadlineNanos);

    /**
     * Cuts a peer off as a target: when it returns true, nothing that the peer posted earlier can still reach memory here
     * (rule DL-5). Keys exported to it are dead then; the peer may connect and fetch keys anew. Core calls it when a peer asks
     * for it, when a region's revocation was not acknowledged, and before it tells anyone that a peer is lost. May block up to
     * the deadline. Links of this side to that peer are not touched.
     *
     * @param peer whom to cut off
     * @param deadlineNanos a value of the context's {@link EngineClock}
     * @return whether the peer is cut off
     */
    boolean fencePeer(Peer peer, long deadlineNanos);

    /**
     * What core's progress threads drive.
     *
     * @return one source per device; empty for {@link ProgressModel#OWN_THREADS}
     */
    default List<ProgressSource> progressSources() {
        return List.of();
    }

    /**
     * Explains a native code.
     *
     * @param nativeCode a code from a completion
     * @return its name and text, such as {@code IBV_WC_RETRY_EXC_ERR: transport retry counter exceeded}
     */
    default String describeNative(long nativeCode) {
        return "native code " + nativeCode;
    }

    /**
     * Finds an optional ability, such as {@link WireClaim}.
     *
     * @param type the ability's interface
     * @param <T> the ability
     * @return the ability, empty if the backend lacks it
     */
    default <T> Optional<T> extension(Class<T> type) {
        return type.isInstance(this) ? Optional.of(type.cast(this)) : Optional.empty();
    }

    /**
     * Closes what is left, in any state. Core calls this once no thread of its own is in a {@link #progressSources source} or
     * will be again. When it returns, no thread, descriptor, registration or native memory of the backend is left (rule BP-3), or
     * it throws saying what is.
     *
     * @param deadlineNanos a value of the context's {@link EngineClock}
     * @throws WeftException INTERNAL naming what could not be freed
     */
    void close(long deadlineNanos);

    /** Not called by core. */
    @Override
    default void close() {
        close(System.nanoTime() + 5_000_000_000L);
    }
}
