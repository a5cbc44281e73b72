package io.weft.backend.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.api.WeftException;
import io.weft.spi.BackendProvider;
import io.weft.spi.WireVectors;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class V3VectorsTest {
    private final V3Vectors codec = new V3Vectors();

    static List<GoldenFrames.Frame> frames() {
        return GoldenFrames.all();
    }

    @ParameterizedTest
    @MethodSource("frames")
    void encodesToTheBytesOfMori(GoldenFrames.Frame frame) {
        assertThat(codec.encode(frame.kind(), frame.values())).isEqualTo(frame.bytes());
    }

    @ParameterizedTest
    @MethodSource("frames")
    void decodesTheBytesOfMori(GoldenFrames.Frame frame) {
        assertThat(codec.decode(frame.kind(), frame.bytes())).isEqualTo(frame.values());
    }

    @ParameterizedTest
    @MethodSource("frames")
    void refusesEveryTruncation(GoldenFrames.Frame frame) {
        for (int length = 0; length < frame.bytes().length; length++) {
            byte[] cut = Arrays.copyOf(frame.bytes(), length);
            assertThatThrownBy(() -> codec.decode(frame.kind(), cut))
                    .isInstanceOf(WeftException.class)
                    .hasMessageContaining("truncated");
        }
    }

    @ParameterizedTest
    @MethodSource("frames")
    void readsFramesByteByByte(GoldenFrames.Frame frame) throws IOException {
        if (!frame.kind().startsWith("TcpCtrlFrame") || frame.kind().contains("HELLO")) {
            return;
        }
        V3Parser parser = new V3Parser();
        CountingSink sink = new CountingSink();
        ByteBuffer in = ByteBuffer.allocate(V3Parser.MOST_LEFT + 1).limit(0);
        boolean whole = false;
        for (byte next : frame.bytes()) {
            assertThat(whole).isFalse();
            in.compact().put(next).flip();
            whole = parser.parse(in, sink);
        }
        assertThat(whole).isTrue();
        assertThat(sink.ends).isEqualTo(1);
    }

    private static final class CountingSink implements V3Parser.Sink {
        private int ends;

        @Override
        public void onRequest(long operation, int memory, boolean read, boolean batch) {}

        @Override
        public void onSegment(long offset, long size) {}

        @Override
        public void onLanes(int lanes) {
            ends++;
        }

        @Override
        public void onCompletion(long operation, int status, byte[] text, int textBytes) {
            ends++;
        }
    }

    @Test
    void namesWhatItCannotEncode() {
        assertThatThrownBy(() -> codec.encode("TcpDataHeader", Map.of("kind", 1L)))
                .isInstanceOf(WeftException.class)
                .hasMessageContaining("TcpDataHeader");
        assertThatThrownBy(() -> codec.encode("Nonsense", Map.of()))
                .isInstanceOf(WeftException.class)
                .hasMessageContaining("Nonsense");
    }

    @Test
    void isFoundAsAService() {
        assertThat(ServiceLoader.load(WireVectors.class)).hasAtLeastOneElementOfType(V3Vectors.class);
        assertThat(ServiceLoader.load(BackendProvider.class)).hasAtLeastOneElementOfType(TcpProvider.class);
    }
}
