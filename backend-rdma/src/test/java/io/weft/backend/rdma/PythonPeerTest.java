package io.weft.backend.rdma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weft.api.EngineDescriptor;
import io.weft.api.ErrorCode;
import io.weft.api.InboundTransfer;
import io.weft.api.MemoryDescriptor;
import io.weft.api.MemoryLocation;
import io.weft.api.Region;
import io.weft.api.RegisterOptions;
import io.weft.api.Transfer;
import io.weft.api.TransferEngine;
import io.weft.api.TransferOptions;
import io.weft.api.TransferState;
import io.weft.config.ConfigurationSources;
import io.weft.engine.Weft;
import java.io.BufferedReader;
import java.io.File;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A peer written in Python from the protocol's description alone, in both roles, on the control port of a whole engine. */
@Timeout(90)
class PythonPeerTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int SIZE = 70_000;

    @TempDir
    static Path directory;

    private static FakeVerbs fake;

    private TransferEngine engine;
    private Region region;

    @BeforeAll
    static void build() throws Exception {
        boolean found = List.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator)).stream()
                .anyMatch(place -> Path.of(place, "python3").toFile().canExecute());
        assumeTrue(found, "python3 is not on the PATH; install it to test against a foreign peer");
        fake = FakeVerbs.in(directory);
    }

    @BeforeEach
    void open() {
        engine = engine("weft");
        region = engine.allocate(MemoryLocation.HOST, SIZE, RegisterOptions.DEFAULT);
    }

    @AfterEach
    void leaveNothing() {
        engine.close();
        assertThat(fake.objects()).isZero();
    }

    private static TransferEngine engine(String name) {
        return engine(name, false);
    }

    private static TransferEngine engine(String name, boolean notifiesPlainPeers) {
        return Weft.builder()
                .configuration(ConfigurationSources.none(directory)
                        .withApi(Map.of(
                                "weft.backend.rdma.library",
                                fake.path(),
                                "weft.backends.allow",
                                "rdma",
                                "weft.plain.notifications",
                                Boolean.toString(notifiesPlainPeers))))
                .name(name)
                .provider(new RdmaProvider())
                .open();
    }

    private static Process python(Object... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                "python3",
                Path.of(PythonPeerTest.class.getResource("moripeer.py").toURI()).toString()));
        for (Object argument : arguments) {
            command.add(argument.toString());
        }
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private static EngineDescriptor plain(String key, int port) {
        return new EngineDescriptor(key, "node", "host", "127.0.0.1", port, 1);
    }

    @Test
    void servesAPythonInitiator() throws Exception {
        Process peer = python(
                "initiator",
                "python",
                engine.descriptor().host(),
                engine.descriptor().port(),
                engine.descriptor().key(),
                Integer.toUnsignedString(region.descriptor().id()),
                SIZE);
        try (BufferedReader answers = peer.inputReader()) {
            String number = answers.readLine();
            String address = answers.readLine();

            assertThat(peer.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(peer.exitValue()).isZero();
            assertThat(Long.parseLong(number)).isPositive();
            assertThat(address)
                    .isEqualTo(
                            Long.toUnsignedString(region.segment().orElseThrow().address()));
        } finally {
            peer.destroyForcibly().waitFor();
        }
    }

    /** The Python engine has no queue pair, so that the control plane is all that can succeed. */
    @Test
    void asksAPythonTarget() throws Exception {
        Process peer = python("target", "python", 7, SIZE);
        try (BufferedReader answers = peer.inputReader()) {
            int port = Integer.parseInt(answers.readLine());
            engine.addPeer(plain("python", port));
            MemoryDescriptor theirs = MemoryDescriptor.builder()
                    .engineKey("python")
                    .id(7)
                    .range(1L << 46, SIZE)
                    .location(1)
                    .build();

            Transfer transfer = engine.write(region, 0, theirs, 0, SIZE, TransferOptions.DEFAULT);

            assertThat(answers.readLine())
                    .isEqualTo("endpoint " + engine.descriptor().key() + " [[-1, 1, -1], [-1, 1, -1]] 0 0 [0, 0]");
            assertThat(answers.readLine()).isEqualTo("region python 3 7 [0, 0, 0, 0]");
            assertThat(transfer.await(PATIENCE)).isEqualTo(TransferState.FAILED);
            assertThat(transfer.code()).contains(ErrorCode.PEER_LOST);
        } finally {
            peer.destroyForcibly().waitFor();
        }
    }

    @Test
    void twoEnginesThatTakeEachOtherForPlainOnesMoveBytes() throws Exception {
        try (TransferEngine other = engine("other")) {
            Region target = other.allocate(MemoryLocation.HOST, SIZE, RegisterOptions.DEFAULT);
            region.segment().orElseThrow().fill((byte) 42);
            engine.addPeer(plain(other.descriptor().key(), other.descriptor().port()));

            Transfer transfer = engine.write(region, 0, target.descriptor(), 0, SIZE, TransferOptions.DEFAULT);

            assertThat(transfer.await(PATIENCE)).as(transfer::text).isEqualTo(TransferState.SUCCEEDED);
            assertThat(target.segment().orElseThrow().mismatch(region.segment().orElseThrow()))
                    .isEqualTo(-1);
        }
    }

    /** The Python engine speaks for another Weft engine, whose queue pair then gets the notification. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void tellsAPythonTargetWhereItIsToldTo(boolean notifies) throws Exception {
        try (TransferEngine initiator = engine("teller", notifies)) {
            Region source = initiator.allocate(MemoryLocation.HOST, SIZE, RegisterOptions.DEFAULT);
            Process front = python(
                    "front",
                    "python",
                    engine.descriptor().host(),
                    engine.descriptor().port(),
                    engine.descriptor().key());
            try (BufferedReader answers = front.inputReader()) {
                initiator.addPeer(plain("python", Integer.parseInt(answers.readLine())));
                MemoryDescriptor theirs =
                        region.descriptor().toBuilder().engineKey("python").build();
                int before = fake.posted();
                TransferOptions options = TransferOptions.DEFAULT.withTransferId(77);

                Transfer transfer = initiator.write(source, 0, theirs, 0, SIZE, options);

                assertThat(transfer.await(PATIENCE)).as(transfer::text).isEqualTo(TransferState.SUCCEEDED);
                // The write, the read that flushes it, and the notification.
                assertThat(fake.posted() - before).isEqualTo(notifies ? 3 : 2);
                if (notifies) {
                    String key = initiator.descriptor().key();
                    AtomicReference<InboundTransfer> told = new AtomicReference<>();
                    Awaitility.await().atMost(PATIENCE).until(() -> {
                        engine.takeInbound(key, 77).ifPresent(told::set);
                        return told.get() != null;
                    });
                    assertThat(told.get().code()).isZero();
                }
            } finally {
                front.destroyForcibly().waitFor();
            }
        }
    }
}
