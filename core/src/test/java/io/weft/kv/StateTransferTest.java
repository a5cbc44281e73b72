package io.weft.kv;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.api.MemoryLocation;
import io.weft.api.TransferEngine;
import io.weft.config.ConfigurationSources;
import io.weft.engine.Weft;
import io.weft.kv.layout.BufferSpec;
import io.weft.kv.layout.KvArgs;
import io.weft.kv.layout.ParallelLayout;
import io.weft.kv.layout.StateSpec;
import io.weft.kv.layout.StateType;
import io.weft.testkit.mem.MemProvider;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** State components through managers and engines: sliced mamba state and window pages. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class StateTransferTest {
    private static final int UNITS = 16;
    private static final int SLOTS = 6;
    private static final int WINDOW_PAGES = 12;
    private static final int WINDOW_BYTES = 8;

    /** A rank with one mamba tensor, sliced over TP, and one window tensor that is the same on all ranks. */
    private static final class Rank implements AutoCloseable {
        final Arena arena = Arena.ofShared();
        final TransferEngine engine;
        final MemorySegment kv = arena.allocate(64, 64);
        final MemorySegment v = arena.allocate(64, 64);
        final MemorySegment mamba;
        final MemorySegment window = arena.allocate(WINDOW_PAGES * WINDOW_BYTES, 64);
        final RankConfig config;

        Rank(String name, int tp, int rank, boolean mla, MemProvider provider) {
            long itemLen = UNITS / tp;
            mamba = arena.allocate(SLOTS * itemLen, 64);
            engine = Weft.builder()
                    .configuration(ConfigurationSources.none(Path.of("target")))
                    .name(name + rank)
                    .provider(provider)
                    .open();
            KvArgs args = KvArgs.builder()
                    .engineRank(rank)
                    .organisation(mla, false, false)
                    .heads(8 / tp, mla ? 0 : 8)
                    .kv(mla ? List.of(spec(kv, 8)) : List.of(spec(kv, 8 / tp), spec(v, 8 / tp)))
                    .state(List.of(
                            new StateSpec(StateType.MAMBA, List.of(spec(mamba, itemLen)), List.of(itemLen), List.of()),
                            new StateSpec(StateType.SWA, List.of(spec(window, WINDOW_BYTES)), List.of(), List.of())))
                    .build();
            config = RankConfig.of(args, ParallelLayout.tp(tp, rank), TestRank.REGISTRY);
        }

        /** What a slot of this rank holds of the model's state, unit by unit. */
        byte[] slot(int tp, int rank) {
            byte[] bytes = new byte[UNITS / tp];
            for (int i = 0; i < bytes.length; i++) {
                bytes[i] = (byte) (1 + rank * bytes.length + i);
            }
            return bytes;
        }

        void fill(int tp, int rank, int slot) {
            byte[] bytes = slot(tp, rank);
            MemorySegment.copy(bytes, 0, mamba, ValueLayout.JAVA_BYTE, (long) slot * bytes.length, bytes.length);
            for (int page = 0; page < WINDOW_PAGES; page++) {
                window.asSlice((long) page * WINDOW_BYTES, WINDOW_BYTES).fill((byte) (page + 1));
            }
        }

        @Override
        public void close() {
            engine.close(Duration.ofSeconds(2));
            arena.close();
        }

        private static BufferSpec spec(MemorySegment memory, long itemLen) {
            return new BufferSpec(memory.address(), memory.byteSize(), itemLen, MemoryLocation.HOST);
        }
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "2, 2", "4, 2", "2, 4", "8, 1", "1, 8"})
    void slicesAndWindowsLandWhereTheyBelong(int p, int d) {
        MemProvider provider = new MemProvider();
        LocalDirectory directory = new LocalDirectory();
        List<Rank> prefill = IntStream.range(0, p)
                .mapToObj(i -> new Rank("p", p, i, false, provider))
                .toList();
        List<Rank> decode = IntStream.range(0, d)
                .mapToObj(i -> new Rank("d", d, i, false, provider))
                .toList();
        List<PrefillManager> senders = new ArrayList<>();
        List<DecodeManager> receivers = new ArrayList<>();
        try {
            for (int i = 0; i < p; i++) {
                prefill.get(i).fill(p, i, 3);
                senders.add(PrefillManager.open(
                        prefill.get(i).engine, prefill.get(i).config, KvSettings.with(Map.of()), directory));
            }
            List<KvReceiver> rooms = new ArrayList<>();
            for (Rank rank : decode) {
                DecodeManager manager =
                        DecodeManager.open(rank.engine, rank.config, KvSettings.with(Map.of()), directory);
                receivers.add(manager);
                KvReceiver room = manager.receiver(TestRank.REGISTRY, 5);
                room.init(KvReceiver.ANY_DP_RANK);
                room.sendMetadata(new int[0], -1, Arrays.asList(new int[] {4}, p == d ? new int[] {5, 6, 9} : null), 8);
                rooms.add(room);
            }
            senders.forEach(m -> m.sender(5)
                    .send(new KvChunk(
                            new int[0],
                            true,
                            Arrays.asList(new int[] {3}, p == d ? new int[] {1, 2, 7} : null),
                            null)));
            rooms.forEach(room -> Cluster.await(room, KvPoll.SUCCESS));
            for (int i = 0; i < d; i++) {
                check(decode.get(i), d, i, p == d);
            }
        } finally {
            receivers.forEach(DecodeManager::close);
            senders.forEach(PrefillManager::close);
            prefill.forEach(Rank::close);
            decode.forEach(Rank::close);
        }
    }

    @Test
    void aNamedComponentThatPrefillDoesNotHaveFailsTheRoom() {
        MemProvider provider = new MemProvider();
        LocalDirectory directory = new LocalDirectory();
        try (Rank p = new Rank("p", 1, 0, true, provider);
                Rank d = new Rank("d", 1, 0, true, provider);
                PrefillManager prefill = PrefillManager.open(p.engine, p.config, KvSettings.with(Map.of()), directory);
                DecodeManager decode = DecodeManager.open(d.engine, d.config, KvSettings.with(Map.of()), directory)) {
            KvReceiver room = decode.receiver(TestRank.REGISTRY, 5);
            room.init(KvReceiver.ANY_DP_RANK);
            room.sendMetadata(new int[0], -1, Arrays.asList(null, new int[] {5, 6}), 8);
            prefill.sender(5).send(new KvChunk(new int[0], true, Arrays.asList(new int[] {3}, null), null));
            Cluster.await(room, KvPoll.FAILED);
            assertThat(Objects.requireNonNull(room.failure()))
                    .hasMessageContaining("No overlapping state indices for state_type=swa");
        }
    }

    @Test
    void slicedStateOfAnMlaModelIsRefusedWhereOnlyOneRankSends() {
        MemProvider provider = new MemProvider();
        LocalDirectory directory = new LocalDirectory();
        try (Rank first = new Rank("p", 2, 0, true, provider);
                Rank second = new Rank("p", 2, 1, true, provider);
                Rank d = new Rank("d", 1, 0, true, provider);
                PrefillManager real =
                        PrefillManager.open(first.engine, first.config, KvSettings.with(Map.of()), directory);
                PrefillManager dummy =
                        PrefillManager.open(second.engine, second.config, KvSettings.with(Map.of()), directory);
                DecodeManager decode = DecodeManager.open(d.engine, d.config, KvSettings.with(Map.of()), directory)) {
            KvReceiver room = decode.receiver(TestRank.REGISTRY, 5);
            room.init(KvReceiver.ANY_DP_RANK);
            room.sendMetadata(new int[0], -1, Arrays.asList(new int[] {4}, null), 8);
            for (PrefillManager manager : List.of(real, dummy)) {
                manager.sender(5).send(new KvChunk(new int[0], true, Arrays.asList(new int[] {3}, null), null));
            }
            Cluster.await(room, KvPoll.FAILED);
            assertThat(Objects.requireNonNull(room.failure()))
                    .hasMessageContainingAll("mamba", "2 prefill TP ranks", "1 decode");
        }
    }

    private static void check(Rank rank, int tp, int tpRank, boolean withWindow) {
        byte[] expected = new byte[SLOTS * UNITS / tp];
        byte[] slot = rank.slot(tp, tpRank);
        System.arraycopy(slot, 0, expected, 4 * slot.length, slot.length);
        assertThat(rank.mamba.toArray(ValueLayout.JAVA_BYTE)).isEqualTo(expected);
        byte[] window = new byte[WINDOW_PAGES * WINDOW_BYTES];
        int[][] pages = withWindow ? new int[][] {{1, 5}, {2, 6}, {7, 9}} : new int[0][];
        for (int[] pair : pages) {
            Arrays.fill(window, pair[1] * WINDOW_BYTES, (pair[1] + 1) * WINDOW_BYTES, (byte) (pair[0] + 1));
        }
        assertThat(rank.window.toArray(ValueLayout.JAVA_BYTE)).isEqualTo(window);
    }
}
