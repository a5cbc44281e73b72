package io.weft.backend.libfabric.ofi;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.weft.ffi.CStruct;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;

/**
 * {@code struct fi_msg_rma} with its {@code struct iovec}, descriptor and {@code struct fi_rma_iov} arrays, made once and filled for
 * every operation: the library has read all of it when the call returns.
 *
 * <p>Confined to one thread at a time.
 */
public final class FiMsgRma {
    static final StructLayout LAYOUT = CStruct.named("fi_msg_rma")
            .pointers("msg_iov", "desc")
            .longs("iov_count", "addr")
            .pointers("rma_iov")
            .longs("rma_iov_count")
            .pointers("context")
            .longs("data")
            .build();
    static final StructLayout IOVEC =
            CStruct.named("iovec").pointers("iov_base").longs("iov_len").build();
    static final StructLayout RMA_IOV =
            CStruct.named("fi_rma_iov").longs("addr", "len", "key").build();

    private static final long IOV_COUNT = CStruct.offset(LAYOUT, "iov_count");
    private static final long RMA_IOV_COUNT = CStruct.offset(LAYOUT, "rma_iov_count");
    private static final long CONTEXT = CStruct.offset(LAYOUT, "context");
    private static final long IOVEC_BYTES = IOVEC.byteSize();
    private static final long RMA_IOV_BYTES = RMA_IOV.byteSize();

    private final MemorySegment message;
    private final MemorySegment local;
    private final MemorySegment descriptors;
    private final MemorySegment remote;
    private int count;

    /**
     * Allocates.
     *
     * @param arena the owner
     * @param segments most segments of one operation
     * @param peer the {@code fi_addr_t} of the target
     */
    public FiMsgRma(Arena arena, int segments, long peer) {
        message = arena.allocate(LAYOUT);
        local = arena.allocate(IOVEC, segments);
        descriptors = arena.allocate(JAVA_LONG, segments);
        remote = arena.allocate(RMA_IOV, segments);
        message.set(JAVA_LONG, CStruct.offset(LAYOUT, "msg_iov"), local.address());
        message.set(JAVA_LONG, CStruct.offset(LAYOUT, "desc"), descriptors.address());
        message.set(JAVA_LONG, CStruct.offset(LAYOUT, "addr"), peer);
        message.set(JAVA_LONG, CStruct.offset(LAYOUT, "rma_iov"), remote.address());
    }

    /** Begins an operation. */
    public void clear() {
        count = 0;
    }

    /**
     * Adds a segment.
     *
     * @param address local address
     * @param descriptor local descriptor
     * @param remoteAddress remote address or offset, as the provider wants it
     * @param key remote key
     * @param length bytes
     */
    public void add(long address, long descriptor, long remoteAddress, long key, long length) {
        long at = count * IOVEC_BYTES;
        local.set(JAVA_LONG, at, address);
        local.set(JAVA_LONG, at + 8, length);
        descriptors.set(JAVA_LONG, count * 8L, descriptor);
        long remoteAt = count * RMA_IOV_BYTES;
        remote.set(JAVA_LONG, remoteAt, remoteAddress);
        remote.set(JAVA_LONG, remoteAt + 8, length);
        remote.set(JAVA_LONG, remoteAt + 16, key);
        count++;
    }

    /**
     * Ends the operation.
     *
     * @param context address of its context
     * @return the message's address, for {@link OfiEndpoint#write} and {@link OfiEndpoint#read}
     */
    public long finish(long context) {
        message.set(JAVA_LONG, IOV_COUNT, count);
        message.set(JAVA_LONG, RMA_IOV_COUNT, count);
        message.set(JAVA_LONG, CONTEXT, context);
        return message.address();
    }
}
