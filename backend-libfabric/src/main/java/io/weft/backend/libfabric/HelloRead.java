package io.weft.backend.libfabric;

import io.weft.backend.libfabric.ofi.Fi;
import io.weft.backend.libfabric.ofi.FiMsgRma;
import io.weft.backend.libfabric.ofi.OfiException;
import io.weft.backend.libfabric.ofi.OfiMr;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Reads the few bytes that every target endpoint offers: once to prove that the way is open, later, where the provider needs it, to
 * flush the writes before it. Confined to the poller, and before that to the connecting thread.
 */
final class HelloRead {
    private static final long EAGAIN = -11;

    private final RmaEndpoint endpoint;
    private final MemorySegment landing;
    private final MemorySegment firstContext;
    private final FiMsgRma message;
    private final long descriptor;
    private final long remoteBase;
    private final long key;
    /** The libfabric error of the last post, 0 if it was taken or must be tried again. */
    private int refused;

    private boolean firstPosted;

    HelloRead(OpenedFabric fabric, RmaEndpoint endpoint, long remote, long remoteBase, long key) throws OfiException {
        this.endpoint = endpoint;
        this.remoteBase = remoteBase;
        this.key = key;
        landing = endpoint.arena.allocate(Greeting.HELLO_BYTES, 64);
        firstContext = endpoint.arena.allocate(64, 64);
        message = new FiMsgRma(endpoint.arena, 1, remote);
        if (fabric.traits().facts().needs(Fi.MR_LOCAL)) {
            OfiMr registration = Region.register(fabric, landing.address(), landing.byteSize(), Fi.READ);
            endpoint.own(registration::close);
            descriptor = registration.descriptor();
        } else {
            descriptor = 0;
        }
    }

    /** Posts the first read, before the link has contexts of its own; once. False if the provider does not take it now. */
    boolean postFirst() {
        firstPosted = firstPosted || post(firstContext.address());
        return firstPosted;
    }

    boolean isFirstPosted() {
        return firstPosted;
    }

    /** Posts the read; false if the provider does not take it now. */
    boolean post(long context) {
        message.clear();
        message.add(landing.address(), descriptor, remoteBase, key, landing.byteSize());
        long rc = endpoint.endpoint.read(message.finish(context), Fi.COMPLETION);
        refused = rc == 0 || rc == EAGAIN ? 0 : (int) -rc;
        return rc == 0;
    }

    int refused() {
        return refused;
    }

    byte[] bytes() {
        return landing.toArray(ValueLayout.JAVA_BYTE);
    }
}
