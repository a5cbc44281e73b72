package io.weft.backend.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.api.ErrorCode;
import io.weft.api.MemoryLocation;
import io.weft.api.PeerState;
import io.weft.api.Region;
import io.weft.api.RegisterOptions;
import io.weft.api.Transfer;
import io.weft.api.TransferEngine;
import io.weft.api.TransferOptions;
import io.weft.api.TransferState;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whole engines over the real control plane and the real backend, in one process and in two. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class EnginesOverTcpTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int BYTES = 1 << 20;

    private static Region random(TransferEngine engine, long seed) {
        Region region = engine.allocate(MemoryLocation.HOST, BYTES, RegisterOptions.DEFAULT);
        byte[] content = new byte[BYTES];
        new Random(seed).nextBytes(content);
        MemorySegment.copy(content, 0, region.segment().orElseThrow(), ValueLayout.JAVA_BYTE, 0, BYTES);
        return region;
    }

    private static void assertWrites(TransferEngine engine, Region source, EngineProcess target) throws Exception {
        Transfer transfer = engine.write(source, 0, target.region, 0, BYTES, TransferOptions.DEFAULT);
        assertThat(transfer.await(PATIENCE)).as(transfer::text).isEqualTo(TransferState.SUCCEEDED);
        assertThat(target.checksum()).isEqualTo(EngineProcess.crc(source));
    }

    @Test
    void aKilledProcessIsLostAndItsSuccessorIsUsed() throws Exception {
        try (TransferEngine engine = EngineProcess.open("parent", Map.of())) {
            Region source = random(engine, 1);
            try (EngineProcess first = new EngineProcess("child", BYTES)) {
                engine.addPeer(first.engine);
                assertWrites(engine, source, first);
                first.signal("STOP");
                Transfer unfinished = engine.write(source, 0, first.region, 0, BYTES, TransferOptions.DEFAULT);
                first.kill();
                assertThat(unfinished.await(PATIENCE)).isNotEqualTo(TransferState.IN_PROGRESS);
                Transfer later = engine.write(source, 0, first.region, 0, BYTES, TransferOptions.DEFAULT);
                assertThat(later.await(PATIENCE)).isEqualTo(TransferState.FAILED);
                assertThat(later.code()).get().isIn(ErrorCode.UNREACHABLE, ErrorCode.PEER_LOST);
            }
            try (EngineProcess second = new EngineProcess("child", BYTES)) {
                engine.addPeer(second.engine);
                assertWrites(engine, source, second);
                assertThat(engine.peerState(second.engine.key())).contains(PeerState.UP);
            }
        }
    }

    @Test
    void processesWithTheSameSecretTrustEachOther() throws Exception {
        try (TransferEngine engine = EngineProcess.open("parent", Map.of("weft.secret", "correct horse"));
                EngineProcess child = new EngineProcess("child", BYTES, "weft.secret=correct horse")) {
            engine.addPeer(child.engine);
            assertWrites(engine, random(engine, 2), child);
        }
    }

    @Test
    void processesWithDifferentSecretsDoNot() throws Exception {
        try (TransferEngine engine = EngineProcess.open("parent", Map.of("weft.secret", "tr0ub4dor"));
                EngineProcess child = new EngineProcess("child", BYTES, "weft.secret=correct horse")) {
            engine.addPeer(child.engine);
            long before = child.checksum();
            Transfer refused = engine.write(random(engine, 3), 0, child.region, 0, BYTES, TransferOptions.DEFAULT);
            assertThat(refused.await(PATIENCE)).isEqualTo(TransferState.FAILED);
            assertThat(refused.code()).contains(ErrorCode.AUTHENTICATION);
            assertThat(refused.text()).contains("secret").doesNotContain("tr0ub4dor");
            assertThat(child.checksum()).isEqualTo(before);
        }
    }

    /** Rule SEC-3: on every kind of connection that the port serves, whatever a stranger says first. */
    @Test
    void withASecretAStrangerGetsNotOneByte() throws Exception {
        Map<String, String> options = Map.of("weft.secret", "correct horse", "weft.control-timeout", "1s");
        try (TransferEngine engine = EngineProcess.open("guarded", options)) {
            Map<String, byte[]> attempts = new LinkedHashMap<>();
            attempts.put("nothing", new byte[0]);
            attempts.put("http", "GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            attempts.put("weft magic", "WEFTCTL\0".getBytes(StandardCharsets.US_ASCII));
            byte[] open = HexFormat.of().parseHex("5745465443544c00" + "0000002501" + "0001000000" + "00".repeat(32));
            attempts.put("weft open without a proof", open);
            attempts.put(
                    "mori tcp hello", HexFormat.of().parseHex("4d544330000301000000000e0100000009696e69746961746f72"));
            attempts.put("mori rdma request", HexFormat.of().parseHex("010000000f94a674617267657400079400000000"));
            attempts.put("lane of nobody", bytes(new LaneGreeting.Hello(0, 1, "nobody", new byte[32]).encode()));
            attempts.put(
                    "lane of this engine itself",
                    bytes(new LaneGreeting.Hello(0, 1, engine.descriptor().key(), new byte[32]).encode()));
            for (Map.Entry<String, byte[]> attempt : attempts.entrySet()) {
                assertThat(answerTo(engine, attempt.getValue()))
                        .as(attempt.getKey())
                        .isEmpty();
            }
        }
    }

    private static byte[] answerTo(TransferEngine engine, byte[] first) throws IOException {
        try (Socket socket =
                new Socket(engine.descriptor().host(), engine.descriptor().port())) {
            socket.setSoTimeout((int) PATIENCE.toMillis());
            socket.getOutputStream().write(first);
            return socket.getInputStream().readAllBytes();
        } catch (SocketException reset) {
            return new byte[0];
        }
    }

    private static byte[] bytes(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.remaining()];
        buffer.get(bytes);
        return bytes;
    }
}
