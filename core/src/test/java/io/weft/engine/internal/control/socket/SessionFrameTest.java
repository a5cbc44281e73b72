package io.weft.engine.internal.control.socket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.engine.internal.control.InboundEnd;
import io.weft.engine.internal.control.socket.SessionFrame.Bye;
import io.weft.engine.internal.control.socket.SessionFrame.Call;
import io.weft.engine.internal.control.socket.SessionFrame.End;
import io.weft.engine.internal.control.socket.SessionFrame.Failure;
import io.weft.engine.internal.control.socket.SessionFrame.Fence;
import io.weft.engine.internal.control.socket.SessionFrame.FetchKey;
import io.weft.engine.internal.control.socket.SessionFrame.Heartbeat;
import io.weft.engine.internal.control.socket.SessionFrame.Message;
import io.weft.engine.internal.control.socket.SessionFrame.Result;
import io.weft.engine.internal.control.socket.SessionFrame.Revoke;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The frames of {@code docs/wire.md}, bytes included. */
@Timeout(value = 30, unit = TimeUnit.SECONDS)
class SessionFrameTest {
    static Stream<SessionFrame> frames() {
        return Stream.of(
                new Heartbeat(),
                new FetchKey(1, Long.MAX_VALUE, "rdma", -1),
                new Revoke(2, 0, 7),
                new Fence(3, 1, "tcp"),
                new Call(4, 5, "", new byte[0]),
                new Call(5, 5, "x".repeat(64), new byte[65_536]),
                new Result(6, new byte[65_536]),
                new Result(7, new byte[0]),
                new Failure(8, 19, "what went wrong: ü"),
                new End(new InboundEnd(-1, 0, "", null)),
                new End(new InboundEnd(1, 7, "t".repeat(1_024), new byte[4_096])),
                new End(new InboundEnd(1, 0, "", new byte[0])),
                new Message("tcp", new byte[] {1, 2}),
                new Bye("closing"));
    }

    @ParameterizedTest
    @MethodSource("frames")
    void whatIsWrittenIsRead(SessionFrame frame) {
        assertThat(readAll(frame.encode(), Integer.MAX_VALUE))
                .usingRecursiveComparison()
                .isEqualTo(List.of(frame));
    }

    @Test
    void framesMayArriveInAnyPieces() {
        List<SessionFrame> all =
                frames().filter(f -> f.encode().remaining() < 10_000).toList();
        int size = all.stream().mapToInt(f -> f.encode().remaining()).sum();
        ByteBuffer stream = ByteBuffer.allocate(size);
        all.forEach(f -> stream.put(f.encode()));
        for (int piece : new int[] {1, 2, 7, 4_096, size}) {
            assertThat(readAll(stream.flip().duplicate(), piece))
                    .usingRecursiveComparison()
                    .isEqualTo(all);
            stream.clear().position(size);
        }
    }

    static Stream<Arguments> documented() {
        return Stream.of(
                Arguments.of(new Heartbeat(), "0000000010"),
                Arguments.of(
                        new FetchKey(1, 1_000, "tcp", 0x80000001),
                        "0000001911000000000000000100000000000003e8000374637080000001"),
                Arguments.of(new Revoke(2, 1_000, 7), "0000001412000000000000000200000000000003e800000007"),
                Arguments.of(new Fence(3, 1_000, "tcp"), "0000001513000000000000000300000000000003e80003746370"),
                Arguments.of(
                        new Call(4, 1_000, "tcp", new byte[] {9}),
                        "0000001a14000000000000000400000000000003e800037463700000000109"),
                Arguments.of(new Result(4, new byte[] {9}), "0000000d1500000000000000040000000109"),
                Arguments.of(new Failure(4, 10, "no"), "0000000e160000000000000004000a00026e6f"),
                Arguments.of(
                        new End(new InboundEnd(5, 0, "", new byte[] {8})),
                        "000000121700000000000000050000000001" + "0000000108"),
                Arguments.of(new End(new InboundEnd(5, 7, "x", null)), "0000000e1700000000000000050007000178" + "00"),
                Arguments.of(new Message("tcp", new byte[] {7}), "0000000a1800037463700000000107"),
                Arguments.of(new Bye("bye"), "0000000519" + "0003627965"));
    }

    @ParameterizedTest
    @MethodSource("documented")
    void bytesAreAsDocumented(SessionFrame frame, String hex) {
        ByteBuffer encoded = frame.encode();
        byte[] bytes = new byte[encoded.remaining()];
        encoded.get(bytes);
        assertThat(HexFormat.of().formatHex(bytes)).isEqualTo(hex);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            unknown type                 | 00000000ff                                 | unknown type 255
            type 0                       | 0000000000                                 | unknown type 0
            heartbeat with a body        | 0000000110                                 | HEARTBEAT frame claims 1
            length 2^31                  | 8000000015                                 | RESULT frame claims 2147483648
            length over the type's limit | 0001010118 | MESSAGE frame claims 65793
            id truncated                 | 000000041500000000                         | id is truncated
            result shorter than claimed  | 0000000c15000000000000000100000001         | result is truncated
            result of 2^32-1             | 0000000c150000000000000001ffffffff         | result claims 4294967295
            negative budget              | 0000001412 0000000000000002 ffffffffffffffff 00000007 | budget is negative
            a byte too many              | 0000001512 0000000000000002 00000000000003e8 00000007 00 | 1 bytes too many
            backend name too long        | 0000001213 0000000000000003 00000000000003e8 0041 | backend claims 65
            backend name not UTF-8       | 0000001313 0000000000000003 00000000000003e8 0001ff | backend is not UTF-8
            wrong notification mark      | 0000000d17 0000000000000005 0000 0000 02   | notification mark
            notification too long        | 0000001117 0000000000000005 0000 0000 01 00001001 | notification claims 4097
            """)
    void malformedFramesAreRefused(String what, String hex, String found) {
        ByteBuffer bytes = ByteBuffer.wrap(HexFormat.of().parseHex(hex.replace(" ", "")));
        assertThatThrownBy(() -> readAll(bytes, Integer.MAX_VALUE))
                .as(what)
                .isInstanceOf(ProtocolException.class)
                .hasMessageContaining(found);
    }

    @Test
    void aFrameOutOfPlaceIsRefusedBeforeItsBody() {
        FrameReader reader = new FrameReader();
        FrameReader.Sink onlyHello = new FrameReader.Sink() {
            @Override
            public boolean allows(FrameType type) {
                return type == FrameType.HELLO;
            }

            @Override
            public void frame(FrameType type, WireIn body) {}

            @Override
            public boolean wantsMore() {
                return true;
            }
        };
        ByteBuffer header = ByteBuffer.wrap(HexFormat.of().parseHex("0000ffff14"));
        assertThatThrownBy(() -> reader.feed(header, onlyHello)).hasMessageContaining("CALL frame out of place");
    }

    static List<SessionFrame> readAll(ByteBuffer stream, int piece) {
        List<SessionFrame> read = new ArrayList<>();
        FrameReader reader = new FrameReader();
        FrameReader.Sink sink = new FrameReader.Sink() {
            @Override
            public boolean allows(FrameType type) {
                return true;
            }

            @Override
            public void frame(FrameType type, WireIn body) {
                read.add(SessionFrame.decode(type, body));
            }

            @Override
            public boolean wantsMore() {
                return true;
            }
        };
        while (stream.hasRemaining()) {
            int part = Math.min(piece, stream.remaining());
            reader.feed(stream.slice(stream.position(), part), sink);
            stream.position(stream.position() + part);
        }
        return read;
    }
}
