package io.weft.tck.harness;

import io.weft.kv.KvReceiver;
import io.weft.kv.KvSender;

/** Where the rules of the KV layer get the two sides of a room from. Safe from any thread. */
public interface KvRooms {
    /**
     * Opens the prefill side of a room.
     *
     * @param room the room, unsigned
     * @return its sender, of a prefill rank
     */
    KvSender sender(long room);

    /**
     * Opens the decode side of a room.
     *
     * @param room the room, unsigned
     * @return its receiver, of a decode rank
     */
    KvReceiver receiver(long room);
}
