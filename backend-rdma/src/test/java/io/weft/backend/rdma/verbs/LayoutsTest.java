package io.weft.backend.rdma.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.ffi.CStruct;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.StructLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Holds every layout and constant against what {@code src/test/c/offsets.c} prints from the headers. */
@Timeout(60)
class LayoutsTest {
    private static final Map<String, StructLayout> LAYOUTS = Stream.of(
                    IbvDeviceAttr.LAYOUT,
                    IbvPortAttr.LAYOUT,
                    Structs.MR,
                    Structs.CHANNEL,
                    Structs.QP,
                    Structs.CONTEXT,
                    Structs.QP_INIT_ATTR,
                    Structs.AH,
                    Structs.QP_ATTR,
                    Structs.SGE,
                    Structs.SEND_WR,
                    Structs.RECV_WR,
                    Structs.ASYNC_EVENT,
                    Structs.WC)
            .collect(HashMap::new, (map, layout) -> map.put(layout.name().orElseThrow(), layout), HashMap::putAll);

    /** Those that the library allocates and that are described up to the last field in use. */
    private static final Set<String> PREFIXES = Set.of("ibv_qp", "ibv_context");

    private static final Map<String, Integer> CONSTANTS = Map.ofEntries(
            Map.entry("IBV_WR_RDMA_WRITE", SendChain.WRITE),
            Map.entry("IBV_WR_SEND", SendChain.SEND),
            Map.entry("IBV_WR_RDMA_READ", SendChain.READ),
            Map.entry("IBV_SEND_SIGNALED", SendChain.SIGNALED),
            Map.entry("IBV_ACCESS_LOCAL_WRITE", 1),
            Map.entry("IBV_ACCESS_REMOTE_WRITE", 2),
            Map.entry("IBV_ACCESS_REMOTE_READ", 4),
            Map.entry("IBV_QPT_RC", 2),
            Map.entry("IBV_QPS_INIT", 1),
            Map.entry("IBV_QPS_RTR", 2),
            Map.entry("IBV_QPS_RTS", 3),
            Map.entry("IBV_QPS_ERR", 6),
            Map.entry("IBV_EVENT_CQ_ERR", Ibv.AsyncEvent.CQ_ERR),
            Map.entry("IBV_EVENT_QP_FATAL", Ibv.AsyncEvent.QP_FATAL),
            Map.entry("IBV_EVENT_DEVICE_FATAL", Ibv.AsyncEvent.DEVICE_FATAL),
            Map.entry("IBV_EVENT_PORT_ERR", Ibv.AsyncEvent.PORT_ERR),
            Map.entry("IBV_PORT_ACTIVE", IbvPortAttr.STATE_ACTIVE),
            Map.entry("IBV_LINK_LAYER_ETHERNET", IbvPortAttr.LINK_ETHERNET),
            Map.entry("IBV_WC_WR_FLUSH_ERR", 5),
            Map.entry("IBV_WC_REM_ACCESS_ERR", 10),
            Map.entry("IBV_WC_RETRY_EXC_ERR", 12),
            Map.entry("INIT_MASK", QpAttr.INIT_MASK),
            Map.entry("RTR_MASK", QpAttr.RTR_MASK),
            Map.entry("RTS_MASK", QpAttr.RTS_MASK));

    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"44"})
    void agreeWithTheSnapshotOf(String version) throws IOException {
        try (InputStream in = LayoutsTest.class.getResourceAsStream("offsets-" + version + ".txt")) {
            assertThat(in).isNotNull();
            compare(new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList());
        }
    }

    @Test
    void agreeWithTheInstalledHeaders() throws Exception {
        Assumptions.assumeTrue(
                Files.exists(Path.of("/usr/include/infiniband/verbs.h")),
                "the verbs header is not installed (apt-get install libibverbs-dev)");
        Path program = directory.resolve("offsets");
        Process gcc;
        try {
            gcc = new ProcessBuilder("gcc", "-o", program.toString(), "src/test/c/offsets.c")
                    .redirectErrorStream(true)
                    .start();
        } catch (IOException absent) {
            Assumptions.abort("no gcc on PATH (apt-get install gcc)");
            return;
        }
        String errors = new String(gcc.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(gcc.waitFor(50, TimeUnit.SECONDS)).isTrue();
        assertThat(gcc.exitValue()).as(errors).isZero();
        Process run = new ProcessBuilder(program.toString()).start();
        compare(new String(run.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                .lines()
                .toList());
    }

    private static void compare(List<String> lines) {
        assertThat(lines).hasSizeGreaterThan(100);
        for (String line : lines) {
            String[] words = line.split(" ");
            switch (words[0]) {
                case "sizeof" -> {
                    StructLayout layout = LAYOUTS.get(words[1]);
                    assertThat(layout).as("layout of %s", words[1]).isNotNull();
                    if (PREFIXES.contains(words[1])) {
                        assertThat(layout.byteSize()).as(line).isLessThanOrEqualTo(Long.parseLong(words[2]));
                    } else {
                        assertThat(layout.byteSize()).as(line).isEqualTo(Long.parseLong(words[2]));
                    }
                }
                case "const" -> assertThat(CONSTANTS.get(words[1])).as(line).isEqualTo(Integer.parseInt(words[2]));
                default -> {
                    String[] field = words[0].split("\\.");
                    assertThat(CStruct.offset(LAYOUTS.get(field[0]), field[1]))
                            .as(line)
                            .isEqualTo(Long.parseLong(words[1]));
                }
            }
        }
    }
}
