package io.weft.backend.rdma.verbs;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.weft.ffi.CStruct;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * A chain of {@code struct ibv_send_wr} with their {@code struct ibv_sge}s, built once and filled for each post: the driver has
 * read all of it when the call returns. Only the last request of a chain is signalled.
 *
 * <p>Confined to one thread at a time.
 */
public final class SendChain {
    /** {@code IBV_WR_RDMA_WRITE}. */
    public static final int WRITE = 0;
    /** {@code IBV_WR_SEND}. */
    public static final int SEND = 2;
    /** {@code IBV_WR_RDMA_READ}. */
    public static final int READ = 4;

    static final int SIGNALED = 2;
    static final int INLINE = 8;
    private static final long WR = Structs.SEND_WR.byteSize();
    private static final long SGE = Structs.SGE.byteSize();
    private static final long NEXT = CStruct.offset(Structs.SEND_WR, "next");
    private static final long SG_LIST = CStruct.offset(Structs.SEND_WR, "sg_list");
    private static final long NUM_SGE = CStruct.offset(Structs.SEND_WR, "num_sge");
    private static final long OPCODE = CStruct.offset(Structs.SEND_WR, "opcode");
    private static final long FLAGS = CStruct.offset(Structs.SEND_WR, "send_flags");
    private static final long REMOTE = CStruct.offset(Structs.SEND_WR, "remote_addr");
    private static final long RKEY = CStruct.offset(Structs.SEND_WR, "rkey");

    private final MemorySegment requests;
    private final MemorySegment entries;
    private final MemorySegment bad;
    private final int sges;
    private final int inline;
    private int count;
    private int used;
    private int opcode;

    /**
     * Builds.
     *
     * @param arena the owner
     * @param length most requests
     * @param sges most entries of one
     * @param inline bytes up to which a request that sends one entry carries them in itself; 0 for none
     */
    public SendChain(Arena arena, int length, int sges, int inline) {
        this.sges = sges;
        this.inline = inline;
        requests = arena.allocate(WR * length, 64);
        entries = arena.allocate(SGE * sges * length, 64);
        bad = arena.allocate(8, 8);
        for (int i = 0; i < length; i++) {
            requests.set(JAVA_LONG, i * WR + SG_LIST, entries.address() + (long) i * sges * SGE);
        }
    }

    /** Begins a chain. */
    public void clear() {
        count = 0;
    }

    /**
     * Requests so far.
     *
     * @return a count
     */
    public int length() {
        return count;
    }

    /**
     * Adds a request without entries.
     *
     * @param id names it in its completion
     * @param opcode {@code IBV_WR_*}
     * @param remote first remote address
     * @param rkey key of the remote region
     */
    public void begin(long id, int opcode, long remote, int rkey) {
        long at = count * WR;
        this.opcode = opcode;
        if (count > 0) {
            requests.set(JAVA_LONG, at - WR + NEXT, requests.address() + at);
        }
        requests.set(JAVA_LONG, at, id);
        requests.set(JAVA_LONG, at + NEXT, 0);
        requests.set(JAVA_INT, at + OPCODE, opcode);
        requests.set(JAVA_INT, at + FLAGS, 0);
        requests.set(JAVA_LONG, at + REMOTE, remote);
        requests.set(JAVA_INT, at + RKEY, rkey);
        count++;
        used = 0;
    }

    /**
     * Whether the last request takes another entry.
     *
     * @return false once its scatter list is full
     */
    public boolean hasRoom() {
        return used < sges;
    }

    /**
     * Adds an entry to the last request.
     *
     * @param address first local address
     * @param length bytes
     * @param lkey key of the local region
     */
    public void add(long address, int length, int lkey) {
        long at = ((count - 1L) * sges + used) * SGE;
        entries.set(JAVA_LONG, at, address);
        entries.set(JAVA_INT, at + 8, length);
        entries.set(JAVA_INT, at + 12, lkey);
        long request = (count - 1L) * WR;
        if (used == 0 && inline > 0 && opcode != READ) {
            requests.set(JAVA_INT, request + FLAGS, length <= inline ? INLINE : 0);
        } else if (used == 1) {
            requests.set(JAVA_INT, request + FLAGS, 0);
        }
        used++;
        requests.set(JAVA_INT, request + NUM_SGE, used);
    }

    /**
     * Signals the last request and posts the chain with one doorbell.
     *
     * @param path the device's verbs
     * @param qp address of the queue pair
     * @return 0 or errno
     */
    public int post(DataPath path, long qp) {
        long flags = (count - 1L) * WR + FLAGS;
        requests.set(JAVA_INT, flags, requests.get(JAVA_INT, flags) | SIGNALED);
        return path.postSend(qp, requests.address(), bad.address());
    }
}
