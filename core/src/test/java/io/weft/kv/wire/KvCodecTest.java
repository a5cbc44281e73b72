package io.weft.kv.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.api.ErrorCode;
import io.weft.api.WeftException;
import io.weft.kv.layout.PeerLayout;
import io.weft.kv.wire.Decoded.Reason;
import io.weft.kv.wire.IntLists.Width;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(value = 30, unit = TimeUnit.SECONDS)
class KvCodecTest {
    private static final PeerLayout LAYOUT = new PeerLayout(
            16,
            "bfloat16",
            false,
            2,
            1,
            1,
            0,
            8,
            List.of(4096L, 8192L),
            List.of(0, 1, -1),
            List.of("mamba", "swa"),
            List.of(List.of(List.of(2048, 2048, 4096), List.of()), List.of()));
    private static final Extras EXTRAS = Extras.from(-1L, "decode-1-0badcafe")
            .withRoom(Long.MIN_VALUE, 77)
            .withDummy(true)
            .withQuiet(Quiet.UNCONFIRMED, 7)
            .withLayout(LAYOUT)
            .withTraceparent("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01");

    static Stream<Arguments> messages() {
        List<byte[]> blobs = List.of(new byte[] {1}, new byte[300]);
        return Stream.of(Extras.NONE, EXTRAS)
                .flatMap(x -> Stream.of(
                        Arguments.of(
                                Receiver.PREFILL,
                                new PeerRegistration(
                                        "::1",
                                        65_535,
                                        new byte[] {9, 9},
                                        blobs,
                                        List.of(),
                                        List.of(blobs, List.of()),
                                        -1,
                                        8,
                                        7,
                                        1L << 33,
                                        new long[][] {{4_294_967_295L, 1}, {}},
                                        new long[][] {{1, 2}, {3}},
                                        x)),
                        Arguments.of(
                                Receiver.PREFILL,
                                new TransferMetadata(
                                        -1L,
                                        "10.0.0.2",
                                        1,
                                        "k",
                                        new int[] {0, Integer.MAX_VALUE},
                                        0,
                                        new int[][] {{}, {5}},
                                        3,
                                        32,
                                        x)),
                        Arguments.of(
                                Receiver.PREFILL,
                                new TransferMetadata(0, "h", 1, "k", new int[0], -1, new int[0][], 1, 0, x)),
                        Arguments.of(Receiver.PREFILL, new RoomAbort(Long.MIN_VALUE, "host-a", 40_001, x)),
                        Arguments.of(Receiver.DECODE, new RoomStatus(42, 0, 3, "write réfusé", x)),
                        Arguments.of(Receiver.DECODE, new AuxData(42, 1, 9, new byte[] {0, 1, 2}, x))));
    }

    @ParameterizedTest
    @MethodSource("messages")
    void whatIsWrittenIsReadBack(Receiver receiver, KvMessage message) {
        assertThat(accepted(receiver, KvCodec.encode(message)))
                .usingRecursiveComparison()
                .isEqualTo(message);
    }

    @ParameterizedTest
    @MethodSource("messages")
    void everyTruncationAndEveryFlippedFrameIsAValue(Receiver receiver, KvMessage message) {
        List<byte[]> frames = KvCodec.encode(message);
        long seed = Long.getLong("weft.test.seed", System.nanoTime());
        Random random = new Random(seed);
        for (int i = 0; i < 500; i++) {
            List<byte[]> broken = new ArrayList<>(frames.subList(0, random.nextInt(frames.size() + 1)));
            if (!broken.isEmpty()) {
                int at = random.nextInt(broken.size());
                byte[] frame = Arrays.copyOf(broken.get(at), random.nextInt(broken.get(at).length + 8));
                for (int k = 0; k < frame.length && random.nextBoolean(); k++) {
                    frame[random.nextInt(frame.length)] = (byte) random.nextInt();
                }
                broken.set(at, frame);
            }
            for (Receiver side : Receiver.values()) {
                assertThat(KvCodec.decode(side, broken)).as("seed %d", seed).isNotNull();
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "18446744073709551615, true",
        "18446744073709551616, false",
        "99999999999999999999, false",
        "184467440737095516150, false",
        "0, true",
        "-1, false",
        "+1, false",
        "1_0, false",
        "' 1', false",
        "'', false"
    })
    void roomsAreUnsignedSixtyFourBits(String room, boolean legal) {
        Decoded decoded = KvCodec.decode(Receiver.DECODE, ascii("MoriMsgGuard", room, "4", "0", ""));
        assertThat(decoded instanceof Decoded.Accepted).isEqualTo(legal);
        if (legal) {
            RoomStatus status = (RoomStatus) accepted(Receiver.DECODE, ascii("MoriMsgGuard", room, "4", "0", ""));
            assertThat(Long.toUnsignedString(status.room())).isEqualTo(room);
        }
    }

    static Stream<Arguments> malformed() {
        return Stream.of(
                Arguments.of(Receiver.PREFILL, Reason.UNKNOWN, List.of()),
                Arguments.of(Receiver.PREFILL, Reason.UNKNOWN, ascii("NixlMsgGuard", "1")),
                Arguments.of(Receiver.PREFILL, Reason.FRAME_COUNT, ascii("MoriMsgGuard")),
                Arguments.of(Receiver.PREFILL, Reason.FRAME_COUNT, ascii("MoriMsgGuard", "None", "h", "1")),
                Arguments.of(Receiver.PREFILL, Reason.FRAME_COUNT, ascii("ABORT", "1", "h")),
                Arguments.of(Receiver.PREFILL, Reason.MALFORMED, ascii("ABORT", "1", "h", "0")),
                Arguments.of(Receiver.PREFILL, Reason.MALFORMED, ascii("ABORT", "1", "a b", "5")),
                Arguments.of(Receiver.PREFILL, Reason.MALFORMED, ascii("MoriMsgGuard", "1", "h", "1", "k", "abc", "")),
                Arguments.of(
                        Receiver.PREFILL,
                        Reason.MALFORMED,
                        ascii("MoriMsgGuard", "1", "h", "1", "k", "", "", "", "0", "")),
                Arguments.of(Receiver.DECODE, Reason.FRAME_COUNT, ascii("MoriMsgGuard", "1", "4")),
                Arguments.of(Receiver.DECODE, Reason.UNKNOWN, ascii("ABORT", "1", "h", "5")),
                Arguments.of(Receiver.DECODE, Reason.MALFORMED, ascii("MoriMsgGuard", "1", "x", "0", "")),
                Arguments.of(Receiver.DECODE, Reason.MALFORMED, ascii("AUX_DATA", "1", "0", "0", "\0\0\0\5", "abc")),
                Arguments.of(Receiver.DECODE, Reason.OVERSIZED, ascii("AUX_DATA", "1", "0", "0", "123456789", "abc")),
                Arguments.of(
                        Receiver.DECODE, Reason.MALFORMED, ascii("MoriMsgGuard", "1", "0", "0", "why", "weft1\u0001")),
                Arguments.of(
                        Receiver.DECODE,
                        Reason.FRAME_COUNT,
                        Stream.generate(() -> new byte[0]).limit(40).toList()));
    }

    @ParameterizedTest
    @MethodSource("malformed")
    void malformedMessagesSayWhy(Receiver receiver, Reason reason, List<byte[]> frames) {
        List<byte[]> given = frames.size() == 40 ? prefixed(frames) : frames;
        assertThat(KvCodec.decode(receiver, given)).isInstanceOfSatisfying(Decoded.Rejected.class, r -> {
            assertThat(r.reason()).isEqualTo(reason);
            assertThat(r.text()).isNotBlank();
        });
    }

    @Test
    void negativePageIdsNeverReachAPlanner() {
        List<byte[]> frames = new ArrayList<>(ascii("MoriMsgGuard", "1", "h", "1", "k", "", "0", "", "1", ""));
        frames.set(5, new byte[] {-1, -1, -1, -1});
        assertThat(KvCodec.decode(Receiver.PREFILL, frames))
                .isInstanceOfSatisfying(
                        Decoded.Rejected.class, r -> assertThat(r.text()).contains("frame 5", "index -1"));
    }

    @Test
    void aListThatClaimsMoreThanItsBytesAllocatesNothing() {
        byte[] claim = HexFormat.of().parseHex("ffffffff00000000");
        assertThatThrownBy(() -> IntLists.unpack(claim, Width.UINT64))
                .isInstanceOfSatisfying(
                        WeftException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.DECODE_ERROR));
        List<byte[]> frames =
                new ArrayList<>(ascii("MoriMsgGuard", "None", "h", "1", "e", "", "", "", "0", "1", "0", "64", "", ""));
        frames.set(5, HexFormat.of().parseHex("dd7fffffff"));
        assertThat(KvCodec.decode(Receiver.PREFILL, frames)).isInstanceOf(Decoded.Rejected.class);
    }

    @Test
    void anOverlongReasonIsCutAndNotRefused() {
        String reason = "é".repeat(20_000);
        RoomStatus status =
                (RoomStatus) accepted(Receiver.DECODE, KvCodec.encode(new RoomStatus(1, 0, 0, reason, Extras.NONE)));
        assertThat(status.reason()).hasSize(8192).matches("é+");
    }

    @ParameterizedTest
    @CsvSource({"'', -1, 0, true", "'', -1, 32, true", "'', 3, 32, false", "abcd, -1, 0, false", "'', 0, 0, false"})
    void anOlderPeersDummyIsOneThatWantsNothing(String pages, int aux, int prefix, boolean dummy) {
        int[] ids = new int[pages.length() / 4];
        assertThat(new TransferMetadata(1, "h", 1, "k", ids, aux, new int[0][], 1, prefix, Extras.NONE).isDummy())
                .isEqualTo(dummy);
        assertThat(new TransferMetadata(1, "h", 1, "k", ids, aux, new int[][] {{4}}, 1, prefix, Extras.NONE).isDummy())
                .isFalse();
        assertThat(new TransferMetadata(1, "h", 1, "k", ids, aux, new int[0][], 1, prefix, EXTRAS).isDummy())
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"::1:80", "fe80::1", "[::1]80", "h:", "h:-1", "h:65536", "[]:1"})
    void addressesThatCouldBeMisreadAreRefused(String text) {
        assertThatThrownBy(() -> NetworkAddress.parse(text))
                .isInstanceOf(WeftException.class)
                .hasMessageStartingWith("network address");
    }

    @Test
    void extrasOfALaterVersionAreSkipped() {
        byte[] later = HexFormat.of()
                .parseHex("7765667431" + "83" + "a3" + "667574" + "93010203" + "a3" + "67656e" + "07" + "a2" + "6570"
                        + "05");
        List<byte[]> frames = new ArrayList<>(ascii("MoriMsgGuard", "1", "4", "0", ""));
        frames.add(later);
        Extras extras = accepted(Receiver.DECODE, frames).extras();
        assertThat(extras.generation()).isEqualTo(7);
        assertThat(extras.epoch()).isEqualTo(5);
    }

    @ParameterizedTest
    @CsvSource({
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01, true",
        "cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00, true",
        "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01, false",
        "00-00000000000000000000000000000000-00f067aa0ba902b7-01, false",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01, false",
        "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01, false",
        "nonsense, false"
    })
    void aTraceContextThatIsNotWellFormedIsAsIfItHadNotBeenSaid(String text, boolean taken) {
        RoomStatus status = new RoomStatus(1, 0, 0, "", Extras.from(1, "k").withTraceparent(text));
        KvMessage read = accepted(Receiver.DECODE, KvCodec.encode(status));
        assertThat(((RoomStatus) read).extras().traceparent()).isEqualTo(taken ? text : "");
    }

    private static KvMessage accepted(Receiver receiver, List<byte[]> frames) {
        Decoded decoded = KvCodec.decode(receiver, frames);
        assertThat(decoded).isInstanceOf(Decoded.Accepted.class);
        return ((Decoded.Accepted) decoded).message();
    }

    private static List<byte[]> prefixed(List<byte[]> frames) {
        List<byte[]> copy = new ArrayList<>(frames);
        copy.set(0, "MoriMsgGuard".getBytes(StandardCharsets.US_ASCII));
        return copy;
    }

    private static List<byte[]> ascii(String... frames) {
        return Arrays.stream(frames)
                .map(f -> f.getBytes(StandardCharsets.ISO_8859_1))
                .toList();
    }
}
