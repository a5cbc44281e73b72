package io.weft.tck.rules;

import com.sun.management.ThreadMXBean;
import io.weft.api.EngineDescriptor;
import io.weft.api.ErrorCode;
import io.weft.api.MemoryDescriptor;
import io.weft.api.WeftException;
import io.weft.tck.harness.Codec;
import io.weft.tck.harness.Expect;
import io.weft.tck.harness.Rig;
import io.weft.tck.harness.RuleSuite;
import io.weft.tck.harness.RuleTest;
import io.weft.tck.harness.Topology;
import java.io.ByteArrayOutputStream;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/** DSC: descriptors. */
@RuleSuite
class DescriptorRules {
    private static final String ZEROS = "c440" + "00".repeat(64);
    /** What MORI-IO's own packer gives. */
    private static final Map<String, EngineDescriptor> ENGINES = Map.of(
            "96a9696e69746961746f72a66e6f64652d61a6686f73742d61a93132372e302e302e31cd1f90cd1092",
            new EngineDescriptor("initiator", "node-a", "host-a", "127.0.0.1", 8080, 4242),
            "96a0a0a0a00000",
            new EngineDescriptor("", "", "", "", 0, 0),
            "96a16ba16ea168a831302e302e302e31017f",
            new EngineDescriptor("k", "n", "h", "10.0.0.1", 1, 127));

    private static final Map<String, MemoryDescriptor> REGIONS = Map.of(
            "9fa000ffa0000000" + ZEROS + "ff00" + ZEROS + "ffa00000",
            MemoryDescriptor.builder().build(),
            "9fa165cc80d0dfa0cd1000ccff01" + ZEROS + "ccc800" + ZEROS + "ffa00000",
            MemoryDescriptor.builder()
                    .engineKey("e")
                    .id(128)
                    .device(-33, "")
                    .range(4096, 255)
                    .location(1)
                    .numaNode(200)
                    .build(),
            "9fa165ceffffffff00a0cfffffffffffffffffcf000000010000000002" + ZEROS + "ff00" + ZEROS + "05a00000",
            MemoryDescriptor.builder()
                    .engineKey("e")
                    .id(-1)
                    .device(0, "")
                    .range(-1, 1L << 32)
                    .location(2)
                    .vpod(5, "")
                    .build());

    @RuleTest(value = "DSC-1", topologies = Topology.SELF)
    void dsc1_packingIsAnIdentityAndMorisBytes(Rig rig) {
        Codec codec = rig.run().subject().codec();
        ENGINES.forEach((hex, descriptor) -> {
            Expect.equal(
                    "the packed bytes of " + descriptor, hex, HexFormat.of().formatHex(codec.pack(descriptor)));
            Expect.equal(
                    "the unpacked engine",
                    descriptor,
                    codec.unpackEngine(HexFormat.of().parseHex(hex)));
        });
        REGIONS.forEach((hex, descriptor) -> {
            Expect.equal(
                    "the packed bytes of " + descriptor, hex, HexFormat.of().formatHex(codec.pack(descriptor)));
            Expect.equal(
                    "the unpacked region",
                    descriptor,
                    codec.unpackMemory(HexFormat.of().parseHex(hex)));
        });
        for (int i = 0; i < 300; i++) {
            EngineDescriptor engine = engine(rig.random());
            Expect.equal("an engine packed and unpacked", engine, codec.unpackEngine(codec.pack(engine)));
            MemoryDescriptor region = region(rig.random());
            MemoryDescriptor again = codec.unpackMemory(codec.pack(region));
            Expect.equal("a region packed and unpacked", region, again);
            Expect.sameBytes("a region's IPC handle", region.ipcHandle(), again.ipcHandle());
            Expect.sameBytes("a region packed again", codec.pack(region), codec.pack(again));
        }
        EngineDescriptor own = rig.engine().descriptor();
        Expect.equal("the engine's own descriptor", own, codec.unpackEngine(codec.pack(own)));
        MemoryDescriptor mine = rig.local(100).descriptor();
        Expect.equal("a region's own descriptor", mine, codec.unpackMemory(codec.pack(mine)));
    }

    private static EngineDescriptor engine(SplittableRandom random) {
        return new EngineDescriptor(
                text(random), text(random), text(random), text(random), random.nextInt(65_536), random.nextInt());
    }

    private static MemoryDescriptor region(SplittableRandom random) {
        byte[] handle = new byte[MemoryDescriptor.HANDLE_BYTES];
        random.nextBytes(handle);
        long width = -1L >>> random.nextInt(64);
        return MemoryDescriptor.builder()
                .engineKey(text(random))
                .id(random.nextInt())
                .device(random.nextInt() >> random.nextInt(32), text(random))
                .range(random.nextLong() & width, random.nextLong() & width)
                .location(random.nextInt(3))
                .ipc(handle, random.nextLong() & width)
                .numaNode(random.nextInt(300) - 1)
                .fabric(handle, random.nextLong() & width, random.nextLong() & width)
                .vpod(random.nextInt(70_000) - 1, text(random))
                .build();
    }

    private static String text(SplittableRandom random) {
        StringBuilder text = new StringBuilder();
        int length = random.nextInt(5) == 0 ? random.nextInt(300) : random.nextInt(40);
        for (int i = 0; i < length; i++) {
            text.appendCodePoint(random.nextInt(10) == 0 ? 0x20AC : 'a' + random.nextInt(26));
        }
        return text.toString();
    }

    @RuleTest(value = "DSC-2", topologies = Topology.SELF)
    void dsc2_whatOthersAppendIsTolerated(Rig rig) {
        Codec codec = rig.run().subject().codec();
        EngineDescriptor engine = new EngineDescriptor("k", "n", "h", "10.0.0.1", 1, 127);
        byte[] packed = codec.pack(engine);
        Expect.equal(
                "an engine without its last field",
                new EngineDescriptor("k", "n", "h", "10.0.0.1", 1, 0),
                tolerated(
                        "an engine without its last field",
                        () -> codec.unpackEngine(withCount(packed, 5, packed.length - 1))));
        byte[] longer = Arrays.copyOf(withCount(packed, 7, packed.length), packed.length + 3);
        longer[longer.length - 3] = (byte) 0x92; // an array of two small numbers
        longer[longer.length - 2] = 1;
        longer[longer.length - 1] = 2;
        Expect.equal(
                "an engine with a field more",
                engine,
                tolerated("an engine with a field more", () -> codec.unpackEngine(longer)));
        byte[] wide = HexFormat.of().parseHex("96a16ba16ea168a831302e302e302e31cf0000000000000001d3000000000000007f");
        Expect.equal(
                "an engine with wide integers",
                engine,
                tolerated("an engine with wide integers", () -> codec.unpackEngine(wide)));
    }

    private static byte[] withCount(byte[] packed, int fields, int length) {
        byte[] changed = Arrays.copyOf(packed, length);
        changed[0] = (byte) (0x90 | fields);
        return changed;
    }

    private static <T> T tolerated(String what, Supplier<T> unpack) {
        try {
            return unpack.get();
        } catch (WeftException refused) {
            throw new AssertionError(what + " was refused: " + refused.getMessage() + ", must be read", refused);
        }
    }

    @RuleTest(value = "DSC-2", topologies = Topology.SELF)
    void dsc2_whatIsBrokenIsRefusedWithoutAllocating(Rig rig) throws InterruptedException {
        Codec codec = rig.run().subject().codec();
        byte[] engine = codec.pack(new EngineDescriptor("key", "node", "host", "10.0.0.1", 8080, 4242));
        byte[] region =
                codec.pack(MemoryDescriptor.builder().engineKey("key").id(7).build());
        Map<String, byte[]> broken = new LinkedHashMap<>();
        for (int length = 0; length < engine.length; length++) {
            broken.put("an engine cut to " + length + " bytes", Arrays.copyOf(engine, length));
        }
        broken.put("a map", hex("81a16b01"));
        broken.put("a text in place of a number", hex("96a16ba16ea168a831302e302e302e31a131" + "7f"));
        broken.put("a text that claims 2 GiB", hex("96db7fffffff41"));
        broken.put("an array that claims 4 billion fields", hex("ddffffffff"));
        broken.put("a port over 65535", hex("96a16ba16ea168a831302e302e302e31ce000100007f"));
        broken.put(
                "an extra array that claims 2 billion values", hex("97a16ba16ea168a831302e302e302e31017fdd7fffffff"));
        broken.put("a megabyte", new byte[1 << 20]);
        for (Map.Entry<String, byte[]> one : broken.entrySet()) {
            refusedCheaply(one.getKey(), () -> codec.unpackEngine(one.getValue()), one.getValue().length);
        }
        for (int length = 0; length < region.length; length += 3) {
            byte[] cut = Arrays.copyOf(region, length);
            refusedCheaply("a region cut to " + length + " bytes", () -> codec.unpackMemory(cut), length);
        }
        byte[] shortHandle = shortHandle();
        refusedCheaply("a region with a handle of one byte", () -> codec.unpackMemory(shortHandle), shortHandle.length);
        for (int i = 0; i < 2000; i++) {
            byte[] noise = new byte[1 + rig.random().nextInt(80)];
            rig.random().nextBytes(noise);
            noise[0] = (byte) 0x9f;
            readOrRefused(codec, noise);
        }
    }

    private static byte[] shortHandle() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.writeBytes(hex("98a000ffa0000000"));
        bytes.writeBytes(hex("c40100"));
        return bytes.toByteArray();
    }

    private static void readOrRefused(Codec codec, byte[] noise) {
        try {
            codec.unpackMemory(noise);
        } catch (WeftException refused) {
            Expect.equal("the code for " + HexFormat.of().formatHex(noise), ErrorCode.DECODE_ERROR, refused.code());
        } catch (RuntimeException | Error wrong) {
            throw new AssertionError(HexFormat.of().formatHex(noise) + " made unpack throw " + wrong, wrong);
        }
    }

    private static void refusedCheaply(String what, Expect.Action unpack, int length) throws InterruptedException {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        Expect.refused(what, unpack, ErrorCode.DECODE_ERROR);
        long allocated = threads.getCurrentThreadAllocatedBytes() - before;
        long bound = (1 << 20) + 4L * length;
        Expect.that(allocated < bound, what + " made unpack allocate " + allocated + " bytes");
    }

    private static byte[] hex(String text) {
        return HexFormat.of().parseHex(text);
    }
}
