package io.weft.kv;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.kv.layout.ParallelLayout;
import io.weft.testkit.mem.MemProvider;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;

/** Prefill and decode ranks of one process, each with its own engine, over the reference backend. */
final class Cluster implements AutoCloseable {
    static final Duration PATIENCE = Duration.ofSeconds(30);

    final LocalDirectory directory = new LocalDirectory();
    final List<TestRank> prefill = new ArrayList<>();
    final List<TestRank> decode = new ArrayList<>();
    private final MemProvider provider = new MemProvider();

    Cluster(TestModel model, List<ParallelLayout> prefillRanks, List<ParallelLayout> decodeRanks, String... options) {
        Map<String, String> all = TestRank.options(options);
        prefillRanks.forEach(l -> prefill.add(TestRank.prefill(model, l, provider, directory, all)));
        decodeRanks.forEach(l -> decode.add(TestRank.decode(model, l, provider, directory, all)));
    }

    /** One prefill and one decode rank of the small model. */
    static Cluster oneToOne(String... options) {
        return new Cluster(TestModel.SMALL, List.of(ParallelLayout.SINGLE), List.of(ParallelLayout.SINGLE), options);
    }

    void addDecode(TestModel model, ParallelLayout layout, String... options) {
        decode.add(TestRank.decode(model, layout, provider, directory, TestRank.options(options)));
    }

    static List<ParallelLayout> ranks(int tp, int pp, int cp) {
        List<ParallelLayout> ranks = new ArrayList<>();
        for (int t = 0; t < tp; t++) {
            for (int p = 0; p < pp; p++) {
                for (int c = 0; c < cp; c++) {
                    ranks.add(new ParallelLayout(tp, t, cp, c, 1, 0, pp, p, 1, 0));
                }
            }
        }
        return ranks;
    }

    TestRank p() {
        return prefill.getFirst();
    }

    TestRank d() {
        return decode.getFirst();
    }

    KvReceiver receive(TestRank rank, long room, int[] pages, int auxRow, int prefixTokens) {
        KvReceiver receiver = rank.decode().receiver(TestRank.REGISTRY, room);
        receiver.init(KvReceiver.ANY_DP_RANK);
        receiver.sendMetadata(pages, auxRow, null, prefixTokens);
        return receiver;
    }

    static void await(KvSender sender, KvPoll status) {
        Awaitility.await()
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(2))
                .untilAsserted(() -> assertThat(sender.poll())
                        .as(() -> String.valueOf(sender.failure()))
                        .isEqualTo(status));
    }

    static void await(KvReceiver receiver, KvPoll status) {
        Awaitility.await()
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(2))
                .untilAsserted(() -> assertThat(receiver.poll())
                        .as(() -> String.valueOf(receiver.failure()))
                        .isEqualTo(status));
    }

    @Override
    public void close() {
        decode.forEach(TestRank::close);
        prefill.forEach(TestRank::close);
    }
}
