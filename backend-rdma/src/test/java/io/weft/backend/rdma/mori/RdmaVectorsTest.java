package io.weft.backend.rdma.mori;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.api.ErrorCode;
import io.weft.api.WeftException;
import io.weft.spi.WireVectors;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@Timeout(30)
class RdmaVectorsTest {
    private static final long SEED = Long.getLong("weft.test.seed", System.nanoTime());

    private record Golden(String name, String kind, Map<String, Object> values, byte[] bytes) {
        @Override
        public String toString() {
            return name;
        }
    }

    private final RdmaVectors codec = new RdmaVectors();

    static List<Golden> frames() throws IOException {
        try (InputStream file = RdmaVectorsTest.class.getResourceAsStream("golden-control.json")) {
            return JsonMapper.shared()
                    .readTree(file)
                    .get("rdmaControlPlane")
                    .valueStream()
                    .map(node -> new Golden(
                            node.get("name").asString(),
                            node.get("kind").asString(),
                            object(node.get("values")),
                            HexFormat.of().parseHex(node.get("hex").asString())))
                    .toList();
        }
    }

    private static Map<String, Object> object(JsonNode node) {
        Map<String, Object> values = new LinkedHashMap<>();
        node.propertyStream().forEach(field -> values.put(field.getKey(), plain(field.getValue())));
        return values;
    }

    private static Object plain(JsonNode node) {
        if (node.isObject()) {
            return object(node);
        }
        if (node.isArray()) {
            return node.valueStream().map(RdmaVectorsTest::plain).toList();
        }
        return node.isIntegralNumber() ? (Object) node.longValue() : node.asString();
    }

    @ParameterizedTest
    @MethodSource("frames")
    void encodesToTheBytesOfMori(Golden frame) {
        assertThat(codec.encode(frame.kind, frame.values)).isEqualTo(frame.bytes);
    }

    @ParameterizedTest
    @MethodSource("frames")
    void decodesTheBytesOfMori(Golden frame) {
        assertThat(codec.decode(frame.kind, frame.bytes)).isEqualTo(frame.values);
    }

    @ParameterizedTest
    @MethodSource("frames")
    void refusesEveryTruncation(Golden frame) {
        for (int length = 0; length < frame.bytes.length; length++) {
            byte[] cut = Arrays.copyOf(frame.bytes, length);
            assertThatThrownBy(() -> codec.decode(frame.kind, cut))
                    .isInstanceOfSatisfying(
                            WeftException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.PROTOCOL));
        }
    }

    /** 4 fields until 1.1, 5 in 1.2.0, and topology keys of 2: later fields have their defaults. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "94 a161 92 92ff01 92ff01 03 95 00 11 01 9100 92 c410 00000000000000000000ffff0a090001 c406 000000000000",
                "95 a161 92 93ff0100 93ff0100 03 95 00 11 01 9100 92 c410 00000000000000000000ffff0a090001 c406 000000000000"
                        + " 02",
                "98 a161 92 93ff0100 94ff010005 03 95 00 11 01 9100 92 c410 00000000000000000000ffff0a090001 c406 000000000000"
                        + " 02 04 a17a 91c0"
            })
    void readsTheLayoutsOfOtherReleases(String hex) {
        byte[] body = HexFormat.of().parseHex(hex.replace(" ", ""));

        RegEndpoint frame = (RegEndpoint) ControlFrame.decode(RegEndpoint.TYPE, body);

        assertThat(frame.device()).isEqualTo(3);
        assertThat(frame.qpn()).isEqualTo(17);
        assertThat(frame.nicRank()).isEqualTo(body[0] == (byte) 0x94 ? 0 : 2);
        assertThat(frame.railId()).isEqualTo(body[0] == (byte) 0x98 ? 4 : -1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "02 00000001 90",
                "00 00000000",
                "00 00100000",
                "01 ffffffff",
            })
    void refusesHeadersThatCannotBe(String hex) {
        byte[] header = HexFormat.of().parseHex(hex.replace(" ", ""));
        assertThatThrownBy(() -> ControlFrame.bodyLength(ByteBuffer.wrap(header)))
                .isInstanceOf(WeftException.class);
    }

    /** Spoiled frames are read or refused; nothing else comes out, and no claimed length is allocated. */
    @Test
    void whateverTheBytesAreItIsAFrameOrARefusal() throws IOException {
        Random random = new Random(SEED);
        List<Golden> all = frames().stream()
                .filter(frame -> frame.kind.startsWith("ControlFrame"))
                .toList();
        int refused = 0;
        for (int i = 0; i < 20_000; i++) {
            byte[] frame = all.get(random.nextInt(all.size())).bytes;
            byte[] body = Arrays.copyOfRange(frame, ControlFrame.HEADER_BYTES, frame.length);
            for (int spoiled = random.nextInt(3); spoiled >= 0; spoiled--) {
                body[random.nextInt(body.length)] = (byte) random.nextInt();
            }
            try {
                assertThat(ControlFrame.decode(frame[0], body).encode()).isNotEmpty();
            } catch (WeftException refusal) {
                assertThat(refusal.code()).as("seed %d", SEED).isEqualTo(ErrorCode.PROTOCOL);
                refused++;
            }
        }
        assertThat(refused).isPositive();
    }

    @Test
    void namesWhatItCannotEncode() {
        assertThatThrownBy(() -> codec.encode("ControlFrame(type=1)", Map.of("ekey", "a")))
                .hasMessageContaining("ControlFrame(type=1)");
        assertThatThrownBy(() -> codec.encode("Nonsense", Map.of())).hasMessageContaining("Nonsense");
    }

    @Test
    void isFoundAsAService() {
        assertThat(ServiceLoader.load(WireVectors.class)).hasAtLeastOneElementOfType(RdmaVectors.class);
    }
}
