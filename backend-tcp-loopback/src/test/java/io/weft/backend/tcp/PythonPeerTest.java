package io.weft.backend.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weft.api.ErrorCode;
import io.weft.api.MemoryDescriptor;
import io.weft.spi.Link;
import io.weft.testkit.lone.PlainPeer;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A peer written in Python from the protocol's description alone, in both roles. */
@Timeout(120)
class PythonPeerTest {
    private static final int SIZE = 300_000;

    @BeforeAll
    static void needsPython() {
        boolean found = List.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator)).stream()
                .anyMatch(directory -> Path.of(directory, "python3").toFile().canExecute());
        assumeTrue(found, "python3 is not on the PATH; install it to test against a foreign v3 peer");
    }

    private static Process python(Object... arguments) throws IOException, URISyntaxException {
        List<String> command = new ArrayList<>(List.of(
                "python3",
                Path.of(PythonPeerTest.class.getResource("v3peer.py").toURI()).toString()));
        for (Object argument : arguments) {
            command.add(argument.toString());
        }
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private static String sum(MemorySegment memory) throws Exception {
        byte[] digest = MessageDigest.getInstance("SHA-256").digest(memory.toArray(ValueLayout.JAVA_BYTE));
        return HexFormat.of().formatHex(digest);
    }

    @Test
    void servesAPythonInitiator() throws Exception {
        try (FakeEngine engine = new FakeEngine("weft")) {
            Region region = engine.allocate(SIZE);

            Process peer = python(
                    "initiator",
                    "python",
                    "127.0.0.1",
                    engine.port(),
                    "weft",
                    Integer.toUnsignedString(region.spec().regionId()),
                    SIZE,
                    42);
            String modelSum = peer.inputReader().readLine();

            assertThat(peer.waitFor(20, TimeUnit.SECONDS)).isTrue();
            assertThat(peer.exitValue()).isZero();
            assertThat(modelSum).isEqualTo(sum(region.memory()));
            assertThat(engine.inbounds.stream().filter(i -> i.code() != 0)).hasSize(5);
            assertThat(engine.count("malformed")).isZero();
        }
    }

    @Test
    void reachesAPythonTarget() throws Exception {
        Process peer = python("target", "python", SIZE);
        try (FakeEngine engine = new FakeEngine("weft", "stripe-bytes", "16KiB");
                PrintWriter commands = new PrintWriter(peer.outputWriter(), true);
                BufferedReader answers = peer.inputReader()) {
            int port = Integer.parseInt(answers.readLine());
            Remote remote = new Remote(MemoryDescriptor.builder()
                    .engineKey("python")
                    .id(7)
                    .range(0, SIZE)
                    .build());
            Link link = engine.backend.connect(
                    new PlainPeer("python", "127.0.0.1", port), LanesTest.QUIET, System.nanoTime() + 5_000_000_000L);
            Region source = engine.allocate(SIZE);
            LanesTest.fill(source.memory(), new Random(4));
            byte[] model = new byte[SIZE];

            for (int round = 0; round < 40; round++) {
                long[][] segments = segments(new Random(round), round);
                for (long[] segment : segments) {
                    MemorySegment.copy(
                            source.memory(), ValueLayout.JAVA_BYTE, segment[0], model, (int) segment[1], (int)
                                    segment[2]);
                }
                assertThat(run(engine, link, FakeOperation.write().run(source, remote, segments)))
                        .isZero();
            }

            commands.println("sum");
            assertThat(answers.readLine()).isEqualTo(sum(MemorySegment.ofArray(model)));
            Region back = engine.allocate(SIZE);
            assertThat(run(engine, link, FakeOperation.read().run(back, 0, remote, 0, SIZE)))
                    .isZero();
            assertThat(back.memory().mismatch(MemorySegment.ofArray(model))).isEqualTo(-1);
            Remote wrong = new Remote(remote.descriptor().toBuilder().id(8).build());
            assertThat(run(engine, link, FakeOperation.read().run(back, 0, wrong, 0, 10)))
                    .isEqualTo(ErrorCode.REMOTE_ACCESS.number());
            assertThat(run(engine, link, FakeOperation.read().run(back, 0, remote, 5, 10)))
                    .isZero();
            commands.println("types");
            // One segment goes as a linear request, several as a batch.
            assertThat(answers.readLine()).startsWith("2,4,4").endsWith("3,3,3");
        } finally {
            peer.destroyForcibly().waitFor();
        }
    }

    private static int run(FakeEngine engine, Link link, FakeOperation operation) throws Exception {
        assertThat(link.post(operation)).isEqualTo(Link.ACCEPTED);
        return engine.completions
                .of(operation.token())
                .get(20, TimeUnit.SECONDS)
                .code();
    }

    private static long[][] segments(Random random, int round) {
        if (round == 0) {
            return new long[][] {{0, 0, SIZE}};
        }
        long[][] segments = new long[1 + round][];
        for (int i = 0; i < segments.length; i++) {
            int length = 1 + random.nextInt(SIZE / segments.length - 1);
            segments[i] = new long[] {random.nextInt(SIZE - length), (long) i * (SIZE / segments.length), length};
        }
        return segments;
    }
}
