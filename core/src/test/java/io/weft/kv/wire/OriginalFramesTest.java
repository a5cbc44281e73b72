package io.weft.kv.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.engine.Descriptors;
import java.io.InputStream;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Every message that the original connector was seen to send is read strictly and written back to the same frames. */
@Timeout(value = 30, unit = TimeUnit.SECONDS)
class OriginalFramesTest {
    private static final HexFormat HEX = HexFormat.of();

    record Seen(String scenario, String kind, Receiver receiver, List<byte[]> frames) {
        @Override
        public String toString() {
            return scenario + " " + kind;
        }
    }

    static Stream<Seen> messages() throws Exception {
        try (InputStream in = OriginalFramesTest.class.getResourceAsStream("/vectors/original-frames.json")) {
            return JsonMapper.shared()
                    .readTree(in)
                    .get("scenarios")
                    .propertyStream()
                    .flatMap(s -> s.getValue().valueStream().map(m -> seen(s.getKey(), m)))
                    .toList()
                    .stream();
        }
    }

    private static Seen seen(String scenario, JsonNode message) {
        Receiver receiver =
                message.get("direction").asString().endsWith(">prefill") ? Receiver.PREFILL : Receiver.DECODE;
        List<byte[]> frames = message.get("frames")
                .valueStream()
                .map(f -> HEX.parseHex(f.asString()))
                .toList();
        return new Seen(scenario, message.get("kind").asString(), receiver, frames);
    }

    @Test
    void theFileHasEveryKindOfMessage() throws Exception {
        assertThat(messages().map(Seen::kind)).contains("registration", "metadata", "aux", "status", "abort");
        assertThat(messages().map(Seen::scenario).distinct()).hasSize(17);
    }

    @ParameterizedTest
    @MethodSource("messages")
    void readsAndWritesBackTheSameFrames(Seen seen) {
        Decoded decoded = KvCodec.decode(seen.receiver(), seen.frames());
        assertThat(decoded).isInstanceOf(Decoded.Accepted.class);
        KvMessage message = ((Decoded.Accepted) decoded).message();
        assertThat(message.extras()).isEqualTo(Extras.NONE);
        assertThat(KvCodec.encode(message).stream().map(HEX::formatHex))
                .isEqualTo(seen.frames().stream().map(HEX::formatHex).toList());
        assertThat(message.getClass().getSimpleName())
                .isEqualTo(
                        switch (seen.kind()) {
                            case "registration" -> "PeerRegistration";
                            case "metadata" -> "TransferMetadata";
                            case "aux" -> "AuxData";
                            case "status" -> "RoomStatus";
                            default -> "RoomAbort";
                        });
    }

    @ParameterizedTest
    @MethodSource("messages")
    void descriptorsInsideRegistrationsAreReadable(Seen seen) {
        if (KvCodec.decode(seen.receiver(), seen.frames()) instanceof Decoded.Accepted(PeerRegistration r)) {
            String key = Descriptors.unpackEngine(r.engine()).key();
            assertThat(r.kv())
                    .isNotEmpty()
                    .allSatisfy(d ->
                            assertThat(Descriptors.unpackMemory(d).engineKey()).isEqualTo(key));
            assertThat(r.aux())
                    .hasSize(3)
                    .allSatisfy(d ->
                            assertThat(Descriptors.unpackMemory(d).engineKey()).isEqualTo(key));
        }
    }

    @ParameterizedTest
    @MethodSource("messages")
    void framesOfLaterVersionsAreIgnored(Seen seen) {
        List<byte[]> longer = Stream.concat(seen.frames().stream(), Stream.of(new byte[0], new byte[] {1, 2, 3}))
                .toList();
        if (seen.kind().equals("registration") || seen.kind().equals("metadata")) {
            assertThat(KvCodec.decode(seen.receiver(), longer)).isInstanceOf(Decoded.Accepted.class);
        }
        assertThat(KvCodec.decode(seen.receiver(), longer))
                .usingRecursiveComparison()
                .isEqualTo(KvCodec.decode(seen.receiver(), seen.frames()));
    }

    @ParameterizedTest
    @MethodSource("messages")
    void aMessageAtTheWrongSideIsAValueAndNoException(Seen seen) {
        Receiver other = seen.receiver() == Receiver.PREFILL ? Receiver.DECODE : Receiver.PREFILL;
        assertThat(KvCodec.decode(other, seen.frames())).isInstanceOf(Decoded.Rejected.class);
    }
}
