package io.weft.backend.rdma.verbs;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.weft.ffi.CStruct;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Receive buffers of one size with a {@code struct ibv_recv_wr} for each, whose id is the buffer's index.
 *
 * <p>Confined to one thread at a time.
 */
public final class ReceiveBuffers {
    private static final long WR = Structs.RECV_WR.byteSize();
    private static final long SGE = Structs.SGE.byteSize();
    private static final long SG_LIST = CStruct.offset(Structs.RECV_WR, "sg_list");
    private static final long NUM_SGE = CStruct.offset(Structs.RECV_WR, "num_sge");

    private final int count;
    private final long size;
    private final MemorySegment memory;
    private final MemorySegment requests;
    private final MemorySegment entries;
    private final MemorySegment bad;

    /**
     * Allocates.
     *
     * @param arena the owner
     * @param count buffers
     * @param size bytes of each
     */
    public ReceiveBuffers(Arena arena, int count, long size) {
        this.count = count;
        this.size = size;
        memory = arena.allocate(count * size, 64);
        requests = arena.allocate(count * WR, 64);
        entries = arena.allocate(count * SGE, 64);
        bad = arena.allocate(ADDRESS);
    }

    /**
     * What is to be registered for local write.
     *
     * @return all buffers
     */
    public MemorySegment memory() {
        return memory;
    }

    /**
     * One buffer.
     *
     * @param index which
     * @return its bytes
     */
    public MemorySegment buffer(int index) {
        return memory.asSlice(index * size, size);
    }

    /**
     * Posts all buffers.
     *
     * @param path the device's verbs
     * @param qp address of the queue pair
     * @param lkey key of the registered memory
     * @return 0 or errno
     */
    public int postAll(DataPath path, long qp, int lkey) {
        for (int i = 0; i < count; i++) {
            entries.set(JAVA_LONG, i * SGE, memory.address() + i * size);
            entries.set(JAVA_INT, i * SGE + 8, (int) size);
            entries.set(JAVA_INT, i * SGE + 12, lkey);
            requests.set(JAVA_LONG, i * WR, i);
            requests.set(ADDRESS, i * WR + SG_LIST, entries.asSlice(i * SGE));
            requests.set(JAVA_INT, i * WR + NUM_SGE, 1);
            int errno = post(path, qp, i);
            if (errno != 0) {
                return errno;
            }
        }
        return 0;
    }

    /**
     * Posts a buffer again.
     *
     * @param path the device's verbs
     * @param qp address of the queue pair
     * @param index which
     * @return 0 or errno
     */
    public int post(DataPath path, long qp, int index) {
        return path.postRecv(qp, requests.address() + index * WR, bad.address());
    }
}
