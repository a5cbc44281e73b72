package io.weft.backend.libfabric.ofi;

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
                    FiInfo.LAYOUT,
                    FiFabricAttr.LAYOUT,
                    FiDomainAttr.LAYOUT,
                    FiEpAttr.LAYOUT,
                    FiTxAttr.LAYOUT,
                    FiRxAttr.LAYOUT,
                    FiAvAttr.LAYOUT,
                    FiCqAttr.LAYOUT,
                    FiCqErrEntry.LAYOUT,
                    FiMsgRma.LAYOUT,
                    FiMsgRma.IOVEC,
                    FiMsgRma.RMA_IOV,
                    FiMrRawAttr.LAYOUT,
                    FiMrMapRaw.LAYOUT,
                    Fids.FID,
                    Fids.FABRIC,
                    Fids.DOMAIN,
                    Fids.MR,
                    Fids.EP,
                    Fids.AV,
                    Fids.CQ,
                    Tables.FID,
                    Tables.FABRIC,
                    Tables.DOMAIN,
                    Tables.MR,
                    Tables.CM,
                    Tables.RMA,
                    Tables.AV,
                    Tables.CQ)
            .collect(HashMap::new, (map, layout) -> map.put(layout.name().orElseThrow(), layout), HashMap::putAll);

    /** Arrays of these are handed to the library, so their size counts too; all others are prefixes or the library's own. */
    private static final Set<String> EXACT = Set.of("iovec", "fi_rma_iov", "fi_msg_rma", "fi_av_attr", "fi_cq_attr");

    private static final Map<String, Long> CONSTANTS = Map.ofEntries(
            Map.entry("FI_MSG", Fi.MSG),
            Map.entry("FI_RMA", Fi.RMA),
            Map.entry("FI_READ", Fi.READ),
            Map.entry("FI_WRITE", Fi.WRITE),
            Map.entry("FI_RECV", Fi.RECV),
            Map.entry("FI_TRANSMIT", Fi.TRANSMIT),
            Map.entry("FI_REMOTE_READ", Fi.REMOTE_READ),
            Map.entry("FI_REMOTE_WRITE", Fi.REMOTE_WRITE),
            Map.entry("FI_COMPLETION", Fi.COMPLETION),
            Map.entry("FI_DELIVERY_COMPLETE", Fi.DELIVERY_COMPLETE),
            Map.entry("FI_SOURCE", Fi.SOURCE),
            Map.entry("FI_CONTEXT", Fi.CONTEXT),
            Map.entry("FI_CONTEXT2", Fi.CONTEXT2),
            Map.entry("FI_MR_LOCAL", (long) Fi.MR_LOCAL),
            Map.entry("FI_MR_RAW", (long) Fi.MR_RAW),
            Map.entry("FI_MR_VIRT_ADDR", (long) Fi.MR_VIRT_ADDR),
            Map.entry("FI_MR_ALLOCATED", (long) Fi.MR_ALLOCATED),
            Map.entry("FI_MR_PROV_KEY", (long) Fi.MR_PROV_KEY),
            Map.entry("FI_MR_ENDPOINT", (long) Fi.MR_ENDPOINT),
            Map.entry("FI_MR_HMEM", (long) Fi.MR_HMEM),
            Map.entry("FI_EP_RDM", (long) Fi.EP_RDM),
            Map.entry("FI_THREAD_SAFE", (long) Fi.THREAD_SAFE),
            Map.entry("FI_PROGRESS_AUTO", (long) Fi.PROGRESS_AUTO),
            Map.entry("FI_CQ_FORMAT_CONTEXT", (long) Fi.CQ_FORMAT_CONTEXT),
            Map.entry("FI_WAIT_NONE", (long) Fi.WAIT_NONE),
            Map.entry("FI_WAIT_FD", (long) Fi.WAIT_FD),
            Map.entry("FI_GETWAIT", (long) OfiCq.GET_WAIT),
            Map.entry("FI_ENABLE", (long) OfiObject.ENABLE),
            Map.entry("FI_GET_RAW_MR", (long) OfiMr.GET_RAW),
            Map.entry("FI_MAP_RAW_MR", (long) OfiDomain.MAP_RAW),
            Map.entry("FI_UNMAP_KEY", (long) OfiDomain.UNMAP_KEY),
            Map.entry("FI_EAVAIL", -OfiCq.ERROR_AVAILABLE),
            Map.entry("FI_EAGAIN", -OfiCq.EMPTY),
            Map.entry("FI_ENODATA", 61L),
            Map.entry("FI_ENOKEY", 266L));

    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"1.17", "2.6"})
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
                Files.exists(Path.of("/usr/include/rdma/fabric.h")),
                "libfabric's headers are not installed (apt-get install libfabric-dev)");
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
        assertThat(lines).hasSizeGreaterThan(150);
        for (String line : lines) {
            String[] words = line.split(" ");
            switch (words[0]) {
                case "version" -> {}
                case "sizeof" -> {
                    StructLayout layout = LAYOUTS.get(words[1]);
                    assertThat(layout).as("layout of %s", words[1]).isNotNull();
                    if (EXACT.contains(words[1])) {
                        assertThat(layout.byteSize()).as(line).isEqualTo(Long.parseLong(words[2]));
                    } else {
                        assertThat(layout.byteSize()).as(line).isLessThanOrEqualTo(Long.parseLong(words[2]));
                    }
                }
                case "const" -> assertThat(CONSTANTS.get(words[1])).as(line).isEqualTo(Long.decode(words[2]));
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
