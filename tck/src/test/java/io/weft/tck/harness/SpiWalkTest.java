package io.weft.tck.harness;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.tck.report.Step;
import io.weft.tck.report.Unwritten;
import io.weft.testkit.mem.MemProvider;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class SpiWalkTest {
    private static List<Unwritten> without(String methods) {
        return SpiWalk.unwritten(new HalfWrittenProvider(), Map.of(HalfWrittenProvider.WITHOUT, methods));
    }

    @Test
    void nothingIsMissingInAWholeBackend() {
        assertThat(SpiWalk.unwritten(new MemProvider(), Map.of())).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "probe,        PROBE,  BackendProvider.probe",
        "open,         OPEN,   BackendProvider.open",
        "capabilities, OPEN,   Backend.capabilities",
        "register,     MEMORY, Backend.register",
        "exportKey,    MEMORY, Backend.exportKey",
        "importKey,    MEMORY, Backend.importKey",
        "deregister,   MEMORY, Backend.deregister",
        "connect,      LINKS,  Backend.connect",
        "fence,        FENCES, Link.fence",
        "fencePeer,    FENCES, Backend.fencePeer",
    })
    void oneMissingMethodIsFoundWithItsStep(String missing, Step step, String method) {
        assertThat(without(missing)).isNotEmpty().allSatisfy(found -> {
            assertThat(found.step()).isEqualTo(step);
            assertThat(found.method()).isEqualTo(method);
        });
    }

    /** Waits 2 s for what does not come. */
    @Test
    @Tag("long")
    void anAcceptedOperationThatNobodyReportsIsFound() {
        assertThat(without("completions")).singleElement().satisfies(found -> {
            assertThat(found.step()).isEqualTo(Step.LINKS);
            assertThat(found.method()).isEqualTo("completions");
            assertThat(found.seen()).contains("Link.post of a WRITE was accepted", "within 2 s");
        });
    }

    @Test
    void bothDirectionsOfPostAreLookedAt() {
        assertThat(without("post"))
                .extracting(Unwritten::method)
                .containsExactly("Link.post of a WRITE", "Link.post of a READ");
    }

    @Test
    void whatIsMissingComesInTheOrderOfTheGuideAndSaysWhereItIs() {
        List<Unwritten> found = without("fencePeer|connect|capabilities|register");
        assertThat(found)
                .extracting(Unwritten::method)
                .containsExactly("Backend.capabilities", "Backend.register", "Backend.connect", "Backend.fencePeer");
        assertThat(found.get(1).seen()).contains("step 4, register is not written yet");
        assertThat(found.get(2).seen()).contains("connect is for tomorrow", "HalfWrittenProvider.java:");
    }
}
