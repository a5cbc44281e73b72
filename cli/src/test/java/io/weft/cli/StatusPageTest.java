package io.weft.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.bootstrap.RankEntry;
import io.weft.bootstrap.RegistryView;
import io.weft.bootstrap.Topology;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class StatusPageTest {
    private static final Topology SHAPE = new Topology(4, 1, 2, 1, 16, "bfloat16", true, false, null);

    private static RankEntry rank(int dp, int tp, String operations) {
        return new RankEntry(
                new RankEntry.Key(dp, 0, tp, 0),
                SHAPE,
                "10.0.0." + (10 + tp),
                50_000 + tp,
                0x5fda7b50L + tp,
                "prefill-tp" + tp + "-pp0-<" + tp + ">",
                List.of(),
                operations,
                TimeUnit.SECONDS.toNanos(15),
                0);
    }

    private static RegistryView view() {
        List<RegistryView.Rank> ranks = IntStream.range(0, 7)
                .mapToObj(i -> new RegistryView.Rank(
                        rank(
                                i / 4,
                                i % 4,
                                i == 1 ? "" : i == 2 ? "127.0.0.1:43379" : "10.0.0." + (10 + i % 4) + ":8123"),
                        TimeUnit.MILLISECONDS.toNanos(400L * i)))
                .toList();
        return new RegistryView(
                "a1b2",
                false,
                7,
                Optional.of(SHAPE),
                ranks,
                42,
                List.of(new RegistryView.Loss(
                        rank(1, 3, ""), TimeUnit.SECONDS.toNanos(70), "it sent no heartbeat for 15012 ms")));
    }

    @Test
    void saysWhatIsMissingAndWhereToLook() throws IOException {
        String page = StatusPage.html(view());
        Path kept = Files.createDirectories(Path.of("target")).resolve("status-page.html");
        Files.writeString(kept, page); // to look at
        assertThat(page)
                .contains("Not ready: 7 of 8 prefill ranks have registered")
                .contains("TP 4, CP 1, DP 2, PP 1, pages of 16 tokens, bfloat16")
                .contains(
                        "<a href=\"http://10.0.0.10:8123/inspect\"><code>weft inspect 10.0.0.10:8123</code></a></span></td>")
                .contains("weft inspect 127.0.0.1:43379</code></a> on its host")
                .contains("set <code>weft.ops.port</code> there")
                .contains("42 rooms of the last minutes")
                .contains("it sent no heartbeat for 15012 ms");
    }

    @Test
    void whatRanksSayIsTextAndNeverMarkup() {
        RankEntry evil = rank(0, 0, "x:1/\"><script>alert(1)</script>");
        RegistryView view = new RegistryView(
                "<i>", false, 1, Optional.of(SHAPE), List.of(new RegistryView.Rank(evil, 0)), 0, List.of());
        assertThat(StatusPage.html(view))
                .doesNotContain("<script", "<i>", "href=\"http")
                .contains("prefill-tp0-pp0-&lt;0&gt;", "Lost lately", "None.");
    }

    @Test
    void anEmptyRegistrySaysSo() {
        RegistryView view = new RegistryView("a1", false, 0, Optional.empty(), List.of(), 0, List.of());
        assertThat(StatusPage.html(view))
                .contains("Not ready: no prefill rank has registered yet")
                .doesNotContain("<table");
    }
}
