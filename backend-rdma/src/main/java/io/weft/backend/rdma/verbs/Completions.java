package io.weft.backend.rdma.verbs;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.weft.ffi.CStruct;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Room for {@code struct ibv_wc}s. Confined to the polling thread. */
public final class Completions {
    private static final long WC = Structs.WC.byteSize();
    private static final long STATUS = CStruct.offset(Structs.WC, "status");
    private static final long VENDOR = CStruct.offset(Structs.WC, "vendor_err");

    private static final long LENGTH = CStruct.offset(Structs.WC, "byte_len");

    private final MemorySegment entries;
    private final int capacity;

    /**
     * Allocates.
     *
     * @param arena the owner
     * @param capacity completions taken at once
     */
    public Completions(Arena arena, int capacity) {
        this.capacity = capacity;
        entries = arena.allocate(WC * capacity, 64);
    }

    /**
     * Takes what is there.
     *
     * @param path the device's verbs
     * @param cq address of the completion queue
     * @return how many, negative on failure
     */
    public int poll(DataPath path, long cq) {
        return path.pollCq(cq, capacity, entries.address());
    }

    /**
     * The request's id.
     *
     * @param index entry of the last poll
     * @return the id
     */
    public long id(int index) {
        return entries.get(JAVA_LONG, index * WC);
    }

    /**
     * How the request ended.
     *
     * @param index entry of the last poll
     * @return {@code IBV_WC_*}
     */
    public int status(int index) {
        return entries.get(JAVA_INT, index * WC + STATUS);
    }

    /**
     * The vendor's own code.
     *
     * @param index entry of the last poll
     * @return the code
     */
    public int vendorError(int index) {
        return entries.get(JAVA_INT, index * WC + VENDOR);
    }

    /**
     * Bytes received.
     *
     * @param index entry of the last poll
     * @return a count, of a successful receive only
     */
    public int length(int index) {
        return entries.get(JAVA_INT, index * WC + LENGTH);
    }
}
