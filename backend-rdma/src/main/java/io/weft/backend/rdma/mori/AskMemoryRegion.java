package io.weft.backend.rdma.mori;

import java.io.IOException;
import java.math.BigInteger;
import org.msgpack.core.MessageBufferPacker;

/**
 * Type 1: asks for a region's key, with a region of zeros, and answers with the region, which is zeros if it is unknown.
 *
 * @param engineKey the callee's wire key, echoed
 * @param device index of the callee's device, as its answer to {@link RegEndpoint} told
 * @param memory the region's id
 * @param address first byte, in the callee's address space
 * @param lkey of no use to anybody; 0 from here
 * @param rkey key of the region
 * @param length bytes
 */
public record AskMemoryRegion(String engineKey, int device, int memory, long address, int lkey, int rkey, long length)
        implements ControlFrame {
    /** The type byte. */
    public static final byte TYPE = 1;

    /**
     * The request.
     *
     * @param engineKey the callee's wire key
     * @param device index of the callee's device
     * @param memory the region's id
     * @return without a region
     */
    public static AskMemoryRegion of(String engineKey, int device, int memory) {
        return new AskMemoryRegion(engineKey, device, memory, 0, 0, 0, 0);
    }

    /**
     * The answer.
     *
     * @param start first byte
     * @param key the region's key
     * @param bytes its length
     * @return this with a region
     */
    public AskMemoryRegion answer(long start, int key, long bytes) {
        return new AskMemoryRegion(engineKey, device, memory, start, 0, key, bytes);
    }

    /**
     * Whether the callee knows the region.
     *
     * @return false for zeros
     */
    public boolean isKnown() {
        return length != 0;
    }

    @Override
    public byte type() {
        return TYPE;
    }

    @Override
    public void packBody(MessageBufferPacker out) throws IOException {
        out.packArrayHeader(4).packString(engineKey).packInt(device).packLong(Integer.toUnsignedLong(memory));
        out.packArrayHeader(4).packBigInteger(unsigned(address));
        out.packLong(Integer.toUnsignedLong(lkey)).packLong(Integer.toUnsignedLong(rkey));
        out.packBigInteger(unsigned(length));
    }

    private static BigInteger unsigned(long bits) {
        return new BigInteger(Long.toUnsignedString(bits));
    }

    static AskMemoryRegion unpack(BodyReader in) {
        int fields = in.array("AskMemoryRegion", 4, 64);
        String key = in.text("the engine key");
        int device = in.int32("the device index");
        int memory = in.uint32("the memory id");
        in.array("the memory region", 4, 4);
        AskMemoryRegion frame = new AskMemoryRegion(
                key, device, memory, in.uint64("addr"), in.uint32("lkey"), in.uint32("rkey"), in.uint64("length"));
        in.skip(fields - 4);
        return frame;
    }
}
