package io.weft.kv.internal.endpoint;

import io.weft.kv.wire.NetworkAddress;
import java.util.List;

/** What a rank hears from its endpoint. Called from the endpoint's threads, one at a time per method; must not block. */
public interface EndpointEvents {
    /**
     * A message arrived.
     *
     * @param frames its frames; the receiver's to keep
     */
    void onMessage(List<byte[]> frames);

    /**
     * Messages to an address could not be delivered for the whole grace period, or its queue is full. They are dropped; the
     * next message connects anew.
     *
     * @param address the address
     * @param why what was found
     */
    void onUnreachable(NetworkAddress address, String why);

    /**
     * A connection was lost and is being made again; messages wait for it during the grace period. Told once for each loss.
     *
     * @param address the address
     */
    default void onDisconnected(NetworkAddress address) {}
}
