package io.weft.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.api.EngineDescriptor;
import io.weft.api.ErrorCode;
import io.weft.api.MemoryDescriptor;
import io.weft.api.WeftException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Rules DSC-1 and DSC-2. */
@Timeout(value = 30, unit = TimeUnit.SECONDS)
class DescriptorsTest {
    private static final HexFormat HEX = HexFormat.of();

    record Vector(String name, String kind, JsonNode values, byte[] bytes) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Vector> golden() throws Exception {
        try (InputStream in = DescriptorsTest.class.getResourceAsStream("/vectors/mori-golden.json")) {
            return JsonMapper.shared()
                    .readTree(in)
                    .get("vectors")
                    .valueStream()
                    .map(v -> new Vector(
                            v.get("name").asString(),
                            v.get("kind").asString(),
                            v.get("values"),
                            HEX.parseHex(v.get("hex").asString())))
                    .toList()
                    .stream();
        }
    }

    @Test
    void theGoldenFileHasBothKinds() throws Exception {
        assertThat(golden().map(Vector::kind))
                .contains("EngineDesc", "MemoryDesc")
                .hasSize(8);
    }

    @ParameterizedTest
    @MethodSource("golden")
    void packsTheGoldenBytes(Vector v) {
        assertThat(HEX.formatHex(pack(v.kind(), v.values()))).isEqualTo(HEX.formatHex(v.bytes()));
    }

    @ParameterizedTest
    @MethodSource("golden")
    void unpacksTheGoldenBytes(Vector v) {
        if (v.kind().equals("EngineDesc")) {
            assertThat(Descriptors.unpackEngine(v.bytes())).isEqualTo(engine(v.values()));
        } else {
            assertThat(Descriptors.unpackMemory(v.bytes()))
                    .usingRecursiveComparison()
                    .isEqualTo(memory(v.values()));
        }
    }

    @ParameterizedTest
    @MethodSource("golden")
    void everyTruncationIsADecodeError(Vector v) {
        for (int length = 0; length < v.bytes().length; length++) {
            byte[] cut = Arrays.copyOf(v.bytes(), length);
            assertDecodeError(() -> unpack(v.kind(), cut));
        }
    }

    @Test
    void longTextsUseTheShortestHeader() {
        for (int length : new int[] {0, 31, 32, 255, 256, 511, 512, 40_000}) {
            EngineDescriptor d = new EngineDescriptor("k".repeat(length), "ü", "h", "::1", 65_535, -1);
            byte[] packed = Descriptors.pack(d);
            int header = length < 32 ? 1 : length < 256 ? 2 : 3;
            assertThat(packed).hasSize(1 + header + length + 3 + 2 + 4 + 3 + 1);
            assertThat(Descriptors.unpackEngine(packed)).isEqualTo(d);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            no pid                    | 95a16ba16ea168a13105                 | 5 | 0
            nothing at all            | 90                                   | 0 | 0
            array 16                  | dc0006a16ba16ea168a1310507           | 5 | 7
            array 32                  | dd00000006a16ba16ea168a1310507       | 5 | 7
            text as bin               | 96c4016bc4016ea168a1310507           | 5 | 7
            text as str32             | 96db000000016ba16ea168a1310507       | 5 | 7
            port as u64, pid as i64   | 96a16ba16ea168a131cf0000000000000005d30000000000000007 | 5 | 7
            extra fields              | 98a16ba16ea168a131050793010281c0c3cb3ff0000000000000 | 5 | 7
            bytes after the array     | 96a16ba16ea168a1310507ffffff         | 5 | 7
            """)
    void toleratesWhatMsgpackCxxTolerates(String what, String hex, int port, int pid) {
        EngineDescriptor d = Descriptors.unpackEngine(HEX.parseHex(hex));
        assertThat(d.port()).as(what).isEqualTo(port);
        assertThat(d.pid()).as(what).isEqualTo(pid);
    }

    @Test
    void olderMemoryLayoutsKeepTheirDefaults() {
        byte[] full = Descriptors.pack(
                MemoryDescriptor.builder().engineKey("k").id(5).range(1, 2).build());
        byte[] eight = Arrays.copyOf(full, 1 + 2 + 1 + 1 + 1 + 1 + 1 + 1 + 66);
        eight[0] = (byte) 0x98;
        assertThat(Descriptors.unpackMemory(eight))
                .usingRecursiveComparison()
                .isEqualTo(MemoryDescriptor.builder()
                        .engineKey("k")
                        .id(5)
                        .range(1, 2)
                        .build());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            no array                 | a16b                               | array
            a map                    | 80                                 | array
            2^31-1 fields            | dd7fffffff                         | claims
            2^32-1 fields            | ddffffffff                         | array
            key of 4 GiB             | 96dbffffffffa1                     | key
            key of 2 GiB             | 96db7fffffffa1                     | key
            key of 1 GiB as bin      | 96c640000000a1                     | key
            key as number            | 9605a16ea168a1310507               | key
            key as nil               | 96c0a16ea168a1310507               | key
            key not UTF-8            | 96a1ffa16ea168a1310507             | UTF-8
            port as text             | 96a16ba16ea168a131a13507           | port
            port as float            | 96a16ba16ea168a131ca3f80000007     | port
            port too large           | 96a16ba16ea168a131ce0001000007     | port
            port negative            | 96a16ba16ea168a131ff07             | port
            pid over 32 bits         | 96a16ba16ea168a13105cf0000000100000000 | pid
            pid over 63 bits         | 96a16ba16ea168a13105cfffffffffffffffff | pid
            never used format        | 96a16ba16ea168a13105c1             | pid
            extra array of 2^31-1    | 97a16ba16ea168a1310507dd7fffffff   | extra
            extra text of 1 GiB      | 97a16ba16ea168a1310507db40000000   | extra
            """)
    void refusesTheRest(String what, String hex, String named) {
        assertThatThrownBy(() -> Descriptors.unpackEngine(HEX.parseHex(hex)))
                .as(what)
                .isInstanceOfSatisfying(
                        WeftException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.DECODE_ERROR))
                .hasMessageContaining(named);
    }

    @ParameterizedTest
    @ValueSource(strings = {"c43f", "c441", "d93f"})
    void refusesHandlesOfAnotherLength(String header) {
        String hex = "98a16b00ffa0000001" + header + "00".repeat(65);
        assertDecodeError(() -> Descriptors.unpackMemory(HEX.parseHex(hex)));
    }

    @Test
    void saysThatMori01DescriptorsCannotBeRead() {
        String hex = "97a16b00ff" + "cd1000" + "cd1000" + "01" + "c440" + "00".repeat(64);
        assertThatThrownBy(() -> Descriptors.unpackMemory(HEX.parseHex(hex))).hasMessageContaining("MORI-IO 0.1");
    }

    @Test
    void nestedExtraFieldsCostNoStack() {
        byte[] deep = Arrays.copyOf(HEX.parseHex("97a16ba16ea168a1310507"), 60_000);
        Arrays.fill(deep, 11, deep.length - 1, (byte) 0x91);
        deep[deep.length - 1] = (byte) 0xc0;
        assertThat(Descriptors.unpackEngine(deep).pid()).isEqualTo(7);
    }

    @Test
    void refusesMoreThanTheLimitBothWays() {
        assertDecodeError(() -> Descriptors.unpackEngine(new byte[Descriptors.MAX_BYTES + 1]));
        EngineDescriptor tooLong = new EngineDescriptor("k".repeat(Descriptors.MAX_BYTES), "", "", "", 0, 0);
        assertInvalid(() -> Descriptors.pack(tooLong));
    }

    @Test
    void refusesToPackWhatCannotBeRead() {
        assertInvalid(() -> Descriptors.pack(new EngineDescriptor("\ud800", "", "", "", 0, 0)));
        assertInvalid(() -> Descriptors.pack(new EngineDescriptor("", "", "", "", 65_536, 0)));
    }

    /** Whatever comes, it is a descriptor or a DECODE_ERROR; a descriptor survives another round trip. */
    @Test
    void fuzz() throws Exception {
        long seed = Long.getLong("weft.test.seed", System.nanoTime());
        int inputs = Integer.getInteger("weft.fuzz.inputs", 50_000);
        System.out.println("descriptor fuzz: " + inputs + " inputs, -Dweft.test.seed=" + seed);
        Random random = new Random(seed);
        Vector[] vectors = golden().toArray(Vector[]::new);
        for (int i = 0; i < inputs; i++) {
            Vector v = vectors[random.nextInt(vectors.length)];
            byte[] mutated = mutate(v.bytes(), random);
            try {
                reread(v.kind(), mutated);
            } catch (WeftException refused) {
                assertThat(refused.code()).isEqualTo(ErrorCode.DECODE_ERROR);
            }
        }
    }

    private static void reread(String kind, byte[] bytes) {
        if (kind.equals("EngineDesc")) {
            EngineDescriptor d = Descriptors.unpackEngine(bytes);
            assertThat(Descriptors.unpackEngine(Descriptors.pack(d))).isEqualTo(d);
        } else {
            MemoryDescriptor d = Descriptors.unpackMemory(bytes);
            assertThat(Descriptors.unpackMemory(Descriptors.pack(d))).isEqualTo(d);
        }
    }

    private static byte[] mutate(byte[] golden, Random random) {
        byte[] bytes =
                Arrays.copyOf(golden, random.nextInt(8) == 0 ? random.nextInt(golden.length + 8) : golden.length);
        for (int n = random.nextInt(4); n > 0 && bytes.length > 0; n--) {
            int at = random.nextInt(Math.min(bytes.length, random.nextBoolean() ? 12 : bytes.length));
            bytes[at] = (byte) (random.nextBoolean() ? 0xc0 + random.nextInt(32) : random.nextInt());
        }
        return bytes;
    }

    private static byte[] pack(String kind, JsonNode values) {
        return kind.equals("EngineDesc") ? Descriptors.pack(engine(values)) : Descriptors.pack(memory(values));
    }

    private static Object unpack(String kind, byte[] bytes) {
        return kind.equals("EngineDesc") ? Descriptors.unpackEngine(bytes) : Descriptors.unpackMemory(bytes);
    }

    private static EngineDescriptor engine(JsonNode v) {
        return new EngineDescriptor(
                v.get("key").asString(),
                v.get("nodeId").asString(),
                v.get("hostname").asString(),
                v.get("host").asString(),
                v.get("port").asInt(),
                v.get("pid").asInt());
    }

    private static MemoryDescriptor memory(JsonNode v) {
        return MemoryDescriptor.builder()
                .engineKey(v.get("engineKey").asString())
                .id((int) v.get("id").asLong())
                .device(v.get("deviceId").asInt(), v.get("deviceBusId").asString())
                .range(unsigned(v, "data"), unsigned(v, "size"))
                .location(v.get("loc").asInt())
                .ipc(HEX.parseHex(v.get("ipcHandleHex").asString()), unsigned(v, "ipcOffset"))
                .numaNode(v.get("numaNode").asInt())
                .fabric(
                        HEX.parseHex(v.get("fabricHandleHex").asString()),
                        unsigned(v, "fabricOffset"),
                        unsigned(v, "fabricAllocSize"))
                .vpod(v.get("vpodId").asInt(), v.get("vpodPpodId").asString())
                .build();
    }

    private static long unsigned(JsonNode v, String field) {
        return Long.parseUnsignedLong(v.get(field).asString());
    }

    private static void assertDecodeError(ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        WeftException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.DECODE_ERROR));
    }

    private static void assertInvalid(ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        WeftException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT));
    }

    @Test
    void theWireKeyEndsInTheLowHalfOfTheIncarnation() {
        assertThat(Descriptors.wireKey("prefill-0", 0x1234_5678_0000_00abL)).isEqualTo("prefill-0-000000ab");
    }
}
