package io.weft.engine;

import io.weft.api.EngineDescriptor;
import io.weft.api.ErrorCode;
import io.weft.api.MemoryDescriptor;
import io.weft.api.WeftException;
import java.util.HexFormat;

/**
 * Descriptors as bytes, byte-equal to MORI-IO's msgpack (rules DSC-1 and DSC-2): positional arrays, {@link EngineDescriptor}
 * of 6 and {@link MemoryDescriptor} of 15 elements, strings and integers in their shortest form, handles as 64-byte
 * {@code bin}.
 *
 * <p>Readers tolerate what msgpack-cxx tolerates: missing trailing fields keep their defaults, extra fields and bytes after
 * the array are ignored, integers may be longer than needed, text may come as {@code bin}. Everything else is
 * {@link ErrorCode#DECODE_ERROR}, and no more is allocated than the input holds.
 *
 * <p>Stateless; safe from any thread; nothing here blocks.
 *
 * @since 0.1
 */
public final class Descriptors {
    /** Longest packed descriptor that is written or read, in bytes. */
    public static final int MAX_BYTES = 65_536;

    private Descriptors() {}

    /**
     * Packs an engine descriptor.
     *
     * @param d the descriptor
     * @return at most {@link #MAX_BYTES}
     * @throws WeftException INVALID_ARGUMENT if it is longer, a text has no UTF-8 form, or the port is out of range
     */
    public static byte[] pack(EngineDescriptor d) {
        checkPort(ErrorCode.INVALID_ARGUMENT, "pack engine descriptor", d.port());
        return new DescriptorWriter("engine descriptor", 6)
                .text(d.key())
                .text(d.nodeId())
                .text(d.hostname())
                .text(d.host())
                .integer(d.port())
                .integer(d.pid())
                .bytes();
    }

    /**
     * Packs a memory descriptor.
     *
     * @param d the descriptor
     * @return at most {@link #MAX_BYTES}
     * @throws WeftException INVALID_ARGUMENT if it is longer or a text has no UTF-8 form
     */
    public static byte[] pack(MemoryDescriptor d) {
        return new DescriptorWriter("memory descriptor", 15)
                .text(d.engineKey())
                .integer(Integer.toUnsignedLong(d.id()))
                .integer(d.deviceId())
                .text(d.deviceBusId())
                .unsigned(d.address())
                .unsigned(d.length())
                .integer(Integer.toUnsignedLong(d.location()))
                .binary(d.ipcHandle())
                .integer(d.numaNode())
                .unsigned(d.ipcOffset())
                .binary(d.fabricHandle())
                .integer(d.vpodId())
                .text(d.vpodPpodId())
                .unsigned(d.fabricOffset())
                .unsigned(d.fabricAllocSize())
                .bytes();
    }

    /**
     * Unpacks an engine descriptor.
     *
     * @param packed the bytes, not kept
     * @return the descriptor
     * @throws WeftException DECODE_ERROR naming the field and what was found
     */
    public static EngineDescriptor unpackEngine(byte[] packed) {
        DescriptorReader in = new DescriptorReader("engine descriptor", packed);
        EngineDescriptor d = new EngineDescriptor(
                in.text("key", ""),
                in.text("nodeId", ""),
                in.text("hostname", ""),
                in.text("host", ""),
                in.int32("port", 0),
                in.int32("pid", 0));
        in.skipRest();
        checkPort(ErrorCode.DECODE_ERROR, "unpack engine descriptor", d.port());
        return d;
    }

    /**
     * Unpacks a memory descriptor.
     *
     * @param packed the bytes, not kept
     * @return the descriptor
     * @throws WeftException DECODE_ERROR naming the field and what was found; also for the layout of MORI-IO 0.1, which had
     *     no {@code deviceBusId} and cannot be told apart by a version
     */
    public static MemoryDescriptor unpackMemory(byte[] packed) {
        DescriptorReader in = new DescriptorReader("memory descriptor", packed);
        MemoryDescriptor.Builder b = MemoryDescriptor.builder();
        b.engineKey(in.text("engineKey", ""));
        b.id(in.uint32("id", 0));
        b.device(in.int32("deviceId", -1), in.text("deviceBusId", ""));
        b.range(in.uint64("data"), in.uint64("size"));
        b.location(in.uint32("loc", 0));
        byte[] ipcHandle = in.handle("ipcHandle");
        b.numaNode(in.int32("numaNode", -1));
        b.ipc(ipcHandle, in.uint64("ipcOffset"));
        byte[] fabricHandle = in.handle("fabricHandle");
        b.vpod(in.int32("vpodId", -1), in.text("vpodPpodId", ""));
        b.fabric(fabricHandle, in.uint64("fabricOffset"), in.uint64("fabricAllocSize"));
        in.skipRest();
        return b.build();
    }

    /**
     * The wire key of a Weft engine, different in each incarnation so that peers cannot mistake one for another.
     *
     * @param name configured name
     * @param incarnation the incarnation
     * @return the name, {@code -} and the low 32 bits as 8 lower-case hex digits
     */
    public static String wireKey(String name, long incarnation) {
        return name + "-" + HexFormat.of().toHexDigits((int) incarnation);
    }

    private static void checkPort(ErrorCode code, String what, int port) {
        if (port < 0 || port > 65_535) {
            throw new WeftException(code, what + ": port is " + port + ", must be 0 to 65535");
        }
    }
}
