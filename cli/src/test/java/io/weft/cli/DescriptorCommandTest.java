package io.weft.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.api.EngineDescriptor;
import io.weft.api.MemoryDescriptor;
import io.weft.engine.Descriptors;
import io.weft.engine.NodeMarker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(60)
class DescriptorCommandTest {
    /** The engine descriptor {@code engine-basic} of MORI-IO's golden vectors. */
    private static final String GOLDEN =
            "96a9696e69746961746f72a66e6f64652d61a6686f73742d61a93132372e302e302e31cd1f90cd1092";

    @TempDir
    Path directory;

    static List<String> packed() {
        String marker = new NodeMarker("node", 1, 2, 0x00ab_cdefL).format();
        byte[] handle = new byte[64];
        handle[63] = 7;
        return List.of(
                GOLDEN,
                hex(Descriptors.pack(new EngineDescriptor("", "", "", "", 0, -1))),
                hex(Descriptors.pack(new EngineDescriptor("k", marker, "h", "10.0.0.1", 65_535, 1))),
                hex(Descriptors.pack(MemoryDescriptor.builder()
                        .engineKey("target")
                        .id(-1)
                        .device(3, "0000:c1:00.0")
                        .range(-1L, 1L << 36)
                        .ipc(handle, 4096)
                        .build())));
    }

    @ParameterizedTest
    @MethodSource("packed")
    void whatDecodeTellsEncodePacks(String hex) throws IOException {
        InProcess decoded = InProcess.weft(directory, "descriptor", "decode", "--json", hex);
        Path file = Files.writeString(directory.resolve("descriptor.json"), decoded.out());

        InProcess encoded = InProcess.weft(directory, "descriptor", "encode", "@" + file);

        assertThat(decoded.exit()).isZero();
        assertThat(encoded.exit()).as(encoded.err()).isZero();
        assertThat(encoded.out().strip()).isEqualTo(hex);
    }

    @Test
    void tellsWhatMakesAWeftEngine() {
        InProcess decoded = InProcess.weft(directory, "descriptor", "decode", packed().get(2));

        assertThat(decoded.out()).containsPattern("wire +1\\.2").containsPattern("incarnation +0000000000abcdef");
    }

    @Test
    void aPlainMoriEngineHasNoMarker() {
        InProcess decoded = InProcess.weft(directory, "descriptor", "decode", GOLDEN, "--json");

        assertThat(decoded.json().get("values").get("port").intValue()).isEqualTo(8080);
        assertThat(decoded.json().has("weft")).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "decode 96a9 | 1 | decode 2 bytes: as an engine descriptor",
                "decode zz | 2 | not hex",
                "decode @nowhere | 1 | nowhere does not exist",
                "encode {} | 1 | its \"kind\" is neither",
                "encode {\"kind\" | 1 | it is no JSON",
                "encode {\"kind\":\"EngineDesc\",\"values\":{\"key\":\"k\"}} | 1 | values.nodeId is missing",
                "encode {\"kind\":\"EngineDesc\",\"values\":{\"key\":1}} | 1 | values.key is 1, not a text",
                "'' | 2 | say decode or encode",
            })
    void saysWhatIsWrong(String line, int exit, String words) {
        InProcess run = InProcess.weft(directory, ("descriptor " + line).strip().split(" "));

        assertThat(run.exit()).isEqualTo(exit);
        assertThat(run.err()).startsWith("weft: ").contains(words).hasLineCount(exit);
        assertThat(run.out()).isEmpty();
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }
}
