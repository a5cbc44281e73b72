package io.weft.tck.harness;

import io.weft.api.Access;
import java.io.Serializable;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The engine on the other side, in this process or another one. Arguments and results are serializable, so that every call can
 * go to a process of its own. Safe from any thread; calls to another process are carried out one at a time, except
 * {@link #watch} and {@link #move}, which do not hold up others.
 */
public interface Target {
    /**
     * End of a transfer.
     *
     * @param state name of its state
     * @param code name of its code, empty for success
     * @param text why
     */
    record End(String state, String code, String text) implements Serializable {}

    /**
     * An inbound transfer as the target took it.
     *
     * @param peerKey the initiator
     * @param transferId its id
     * @param code 0 or an error number
     * @param text why it failed
     */
    record Inbound(String peerKey, long transferId, int code, String text) implements Serializable {}

    /**
     * A notification as the target took it.
     *
     * @param peerKey the initiator
     * @param transferId its id
     * @param code 0 or an error number
     * @param payload its bytes
     */
    @SuppressWarnings("ArrayRecordComponent") // carried, never compared
    record Note(String peerKey, long transferId, int code, byte[] payload) implements Serializable {}

    /**
     * The engine's descriptor.
     *
     * @return packed
     */
    byte[] descriptor();

    /**
     * Makes a peer known.
     *
     * @param packed its descriptor
     */
    void addPeer(byte[] packed);

    /**
     * Forgets a peer.
     *
     * @param key its wire key
     */
    void removePeer(String key);

    /**
     * State of a peer.
     *
     * @param key its wire key
     * @return name of the state, empty if unknown
     */
    String peerState(String key);

    /**
     * Allocates and registers.
     *
     * @param location such as {@code host}
     * @param length bytes
     * @param rights the rights
     * @return a handle for the calls below
     */
    int allocate(String location, long length, Set<Access> rights);

    /**
     * Descriptor of a region.
     *
     * @param region handle
     * @return packed
     */
    byte[] memory(int region);

    /**
     * Stores into a region.
     *
     * @param region handle
     * @param offset first byte
     * @param bytes what to store
     */
    void put(int region, long offset, byte[] bytes);

    /**
     * Reads a region as the target sees it.
     *
     * @param region handle
     * @param offset first byte
     * @param length bytes
     * @return a copy
     */
    byte[] get(int region, long offset, int length);

    /**
     * Takes the region back; the memory stays readable for {@link #get} and {@link #watch}.
     *
     * @param region handle
     * @param timeoutMillis how long transfers may go on
     */
    void deregister(int region, long timeoutMillis);

    /**
     * Registers the memory of a region once more, as another region.
     *
     * @param region handle
     * @param rights the rights
     * @return handle of the new one
     */
    int registerAgain(int region, Set<Access> rights);

    /**
     * Registers a part of the host memory of a region, as another region.
     *
     * @param region handle
     * @param offset first byte of the part
     * @param length bytes
     * @param rights the rights
     * @return handle of the new one
     */
    int registerPart(int region, long offset, long length, Set<Access> rights);

    /**
     * Looks from within the target's process whether a region's bytes change.
     *
     * @param region handle
     * @param millis how long to look
     * @return offset of the first byte that changed, -1 if none did
     */
    long watch(int region, long millis);

    /**
     * Makes the target the initiator of one transfer and waits for its end.
     *
     * @param write write, else read
     * @param region its local region
     * @param localOffset offset in it
     * @param remote packed descriptor of a region of a peer it knows
     * @param remoteOffset offset in that
     * @param length bytes
     * @param deadlineMillis deadline of the transfer
     * @return how it ended
     */
    End move(
            boolean write,
            int region,
            long localOffset,
            byte[] remote,
            long remoteOffset,
            long length,
            long deadlineMillis);

    /**
     * Takes an inbound end.
     *
     * @param peerKey the initiator
     * @param transferId its id
     * @return the end, null if there is none
     */
    @Nullable
    Inbound takeInbound(String peerKey, long transferId);

    /**
     * Takes notifications.
     *
     * @param most how many at most
     * @return in arrival order
     */
    List<Note> takeNotifications(int most);

    /**
     * Cuts a peer off.
     *
     * @param peerKey the peer
     * @param timeoutMillis the bound
     * @return whether it was confirmed
     */
    boolean fence(String peerKey, long timeoutMillis);

    /**
     * Notifications lost to bounds.
     *
     * @return a count
     */
    long notificationsDropped();

    /**
     * What a person debugging wants to see.
     *
     * @return lines
     */
    String state();

    /**
     * Closes the engine.
     *
     * @param timeoutMillis how long transfers may go on
     */
    void close(long timeoutMillis);
}
