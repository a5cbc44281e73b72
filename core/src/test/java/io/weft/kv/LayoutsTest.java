package io.weft.kv;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Rules KV-1, KV-5 and KV-6 through managers, messages and engines: every byte of every decode rank. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class LayoutsTest {
    private static final int[] SOURCE = {1, 2, 3, 9, 11, 12};
    private static final int[] DESTINATION = {20, 21, 4, 5, 6, 15};

    static Stream<Arguments> layouts() {
        TestModel m = TestModel.SMALL;
        return Stream.of(
                Arguments.of("same", m, 1, 1, 1, 1, 1),
                Arguments.of("same TP", m, 2, 1, 1, 2, 1),
                Arguments.of("4 to 2", m, 4, 1, 1, 2, 1),
                Arguments.of("2 to 4", m, 2, 1, 1, 4, 1),
                Arguments.of("8 to 1", m, 8, 1, 1, 1, 1),
                Arguments.of("1 to 8, copies at decode", m.withHeads(2), 1, 1, 1, 8, 1),
                Arguments.of("8 to 2, copies at prefill", m.withHeads(4), 8, 1, 1, 2, 1),
                Arguments.of("PP 2 to 1", m.withLayers(5), 1, 2, 1, 1, 1),
                Arguments.of("PP 2 to 2", m.withLayers(4), 1, 2, 1, 1, 2),
                Arguments.of("TP 2 PP 2 to 1", m.withLayers(4), 2, 2, 1, 1, 1),
                Arguments.of("MLA 4 to 2", m.asMla(), 4, 1, 1, 2, 1),
                Arguments.of("MLA 2 to 4", m.asMla(), 2, 1, 1, 4, 1),
                Arguments.of("CP 2, one sends", m, 1, 1, 2, 1, 1),
                Arguments.of("CP 2, all send", m, 2, 1, 2, 1, 1));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("layouts")
    void everyByteIsInPlace(String name, TestModel model, int p, int pp, int cp, int d, int dpp) {
        String allCp = Boolean.toString(name.contains("all send"));
        try (Cluster c =
                new Cluster(model, Cluster.ranks(p, pp, cp), Cluster.ranks(d, dpp, 1), "all-cp-ranks", allCp)) {
            List<KvReceiver> receivers = new ArrayList<>();
            c.decode.forEach(rank -> receivers.add(c.receive(rank, 101, DESTINATION, 2, 0)));
            List<KvSender> senders =
                    c.prefill.stream().map(rank -> rank.prefill().sender(101)).toList();
            for (KvSender sender : senders) {
                sender.init(SOURCE.length, 1);
                sender.send(new int[] {1, 2});
                sender.send(new int[] {3});
                sender.send(new int[] {9, 11, 12});
            }
            receivers.forEach(r -> Cluster.await(r, KvPoll.SUCCESS));
            for (TestRank rank : c.decode) {
                assertThat(rank.differences(SOURCE, DESTINATION, 1, 2))
                        .as("decode rank %s", rank.layout)
                        .isEmpty();
            }
            senders.forEach(s -> Cluster.await(s, KvPoll.SUCCESS));
            assertThat(receivers).allSatisfy(r -> assertThat(r.lease().state()).isEqualTo(LeaseState.ACKED));
            senders.forEach(KvSender::clear);
            receivers.forEach(KvReceiver::clear);
            assertThat(c.d().decode().stats().tables())
                    .containsEntry("rooms", 0)
                    .containsEntry("leasedPages", 0);
            assertThat(c.p().prefill().stats().tables()).containsEntry("rooms", 0);
        }
    }
}
