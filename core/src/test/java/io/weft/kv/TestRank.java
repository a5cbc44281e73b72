package io.weft.kv;

import io.weft.api.MemoryLocation;
import io.weft.config.ConfigurationSources;
import io.weft.engine.Weft;
import io.weft.kv.layout.BufferSpec;
import io.weft.kv.layout.KvArgs;
import io.weft.kv.layout.ParallelLayout;
import io.weft.kv.plan.HeadShare;
import io.weft.testkit.engine.FaultyEngine;
import io.weft.testkit.mem.MemProvider;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** One rank with its own engine and memory. */
final class TestRank implements AutoCloseable {
    static final String REGISTRY = "registry:1";

    final TestModel model;
    final ParallelLayout layout;
    final FaultyEngine engine;
    final RankConfig config;
    final List<MemorySegment> kv = new ArrayList<>();
    final List<MemorySegment> aux = new ArrayList<>();
    private final Arena arena = Arena.ofShared();
    private @Nullable PrefillManager prefill;
    private @Nullable DecodeManager decode;

    private TestRank(String name, TestModel model, ParallelLayout layout, MemProvider provider) {
        this.model = model;
        this.layout = layout;
        engine = new FaultyEngine(Weft.builder()
                .configuration(ConfigurationSources.none(Path.of("target")))
                .name(name)
                .provider(provider)
                .open());
        config = RankConfig.of(args(), layout, REGISTRY);
    }

    static TestRank prefill(
            TestModel model,
            ParallelLayout layout,
            MemProvider provider,
            LocalDirectory directory,
            Map<String, String> options) {
        TestRank rank =
                new TestRank("io-prefill-tp" + layout.tpRank() + "-pp" + layout.ppRank(), model, layout, provider);
        rank.fill();
        rank.prefill = PrefillManager.open(rank.engine, rank.config, KvSettings.with(options), directory);
        return rank;
    }

    static TestRank decode(
            TestModel model,
            ParallelLayout layout,
            MemProvider provider,
            LocalDirectory directory,
            Map<String, String> options) {
        TestRank rank =
                new TestRank("io-decode-tp" + layout.tpRank() + "-pp" + layout.ppRank(), model, layout, provider);
        rank.decode = DecodeManager.open(rank.engine, rank.config, KvSettings.with(options), directory);
        return rank;
    }

    static Map<String, String> options(String... keysAndValues) {
        Map<String, String> options = new HashMap<>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            options.put("weft.kv." + keysAndValues[i], keysAndValues[i + 1]);
        }
        return options;
    }

    PrefillManager prefill() {
        return Objects.requireNonNull(prefill);
    }

    DecodeManager decode() {
        return Objects.requireNonNull(decode);
    }

    long itemLen() {
        return (long) model.pageSize() * share().count() * model.headBytes();
    }

    /** The content of this rank's pages, as the model has it. */
    byte[] page(int buffer, int modelPage) {
        byte[] bytes = new byte[(int) itemLen()];
        int held = layers();
        int at = 0;
        for (int token = 0; token < model.pageSize(); token++) {
            for (int head = 0; head < share().count(); head++) {
                for (int b = 0; b < model.headBytes(); b++) {
                    bytes[at++] = model.kv(
                            buffer / held, startLayer() + buffer % held, modelPage, token, share().first() + head, b);
                }
            }
        }
        return bytes;
    }

    byte[] auxRow(int buffer, int modelRow) {
        byte[] bytes = new byte[model.auxLens().get(buffer)];
        for (int b = 0; b < bytes.length; b++) {
            bytes[b] = model.aux(buffer, modelRow, b);
        }
        return bytes;
    }

    /** What differs from the pages and rows expected here and zero elsewhere; empty if nothing does. */
    List<String> differences(int[] sourcePages, int[] pages, int sourceRow, int row) {
        List<String> found = new ArrayList<>();
        for (int buffer = 0; buffer < kv.size(); buffer++) {
            byte[] expected = new byte[(int) (model.pages() * itemLen())];
            for (int i = 0; i < pages.length; i++) {
                System.arraycopy(
                        page(buffer, sourcePages[i]), 0, expected, (int) (pages[i] * itemLen()), (int) itemLen());
            }
            compare("kv " + buffer, kv.get(buffer), expected, itemLen(), found);
        }
        for (int buffer = 0; buffer < aux.size(); buffer++) {
            int len = model.auxLens().get(buffer);
            byte[] expected = new byte[model.slots() * len];
            if (row >= 0) {
                System.arraycopy(auxRow(buffer, sourceRow), 0, expected, row * len, len);
            }
            compare("aux " + buffer, aux.get(buffer), expected, len, found);
        }
        return found;
    }

    @Override
    public void close() {
        if (prefill != null) {
            prefill.close();
        }
        if (decode != null) {
            decode.close();
        }
        engine.close(Duration.ofSeconds(2));
        arena.close();
    }

    private static void compare(String what, MemorySegment actual, byte[] expected, long itemLen, List<String> found) {
        byte[] bytes = actual.toArray(ValueLayout.JAVA_BYTE);
        int at = Arrays.mismatch(bytes, expected);
        if (at >= 0) {
            found.add(what + " item " + at / itemLen + " offset " + at % itemLen + ": " + bytes[at] + " instead of "
                    + expected[at]);
        }
    }

    private KvArgs args() {
        int held = layers();
        int buffers = model.mla() ? held : 2 * held;
        for (int i = 0; i < buffers; i++) {
            kv.add(arena.allocate(model.pages() * itemLen(), 64));
        }
        model.auxLens().forEach(len -> aux.add(arena.allocate((long) len * model.slots(), 64)));
        return KvArgs.builder()
                .engineRank(layout.tpRank())
                .pageSize(model.pageSize())
                .organisation(model.mla(), false, false)
                .heads(share().count(), model.mla() ? 0 : model.heads())
                .startLayer(startLayer())
                .kv(kv.stream().map(s -> spec(s, itemLen())).toList())
                .layerIds(IntStream.range(0, buffers)
                        .mapToObj(i -> startLayer() + i % held)
                        .toList())
                .aux(IntStream.range(0, aux.size())
                        .mapToObj(i -> spec(aux.get(i), model.auxLens().get(i)))
                        .toList())
                .build();
    }

    private static BufferSpec spec(MemorySegment memory, long itemLen) {
        return new BufferSpec(memory.address(), memory.byteSize(), itemLen, MemoryLocation.HOST);
    }

    private void fill() {
        for (int buffer = 0; buffer < kv.size(); buffer++) {
            for (int page = 0; page < model.pages(); page++) {
                MemorySegment.copy(page(buffer, page), 0, kv.get(buffer), ValueLayout.JAVA_BYTE, page * itemLen(), (int)
                        itemLen());
            }
        }
        for (int buffer = 0; buffer < aux.size(); buffer++) {
            for (int row = 0; row < model.slots(); row++) {
                byte[] bytes = auxRow(buffer, row);
                MemorySegment.copy(
                        bytes, 0, aux.get(buffer), ValueLayout.JAVA_BYTE, (long) row * bytes.length, bytes.length);
            }
        }
    }

    private HeadShare share() {
        return model.share(layout.tpSize(), layout.tpRank());
    }

    private int startLayer() {
        return model.firstLayer(layout.ppRank(), layout.ppSize());
    }

    private int layers() {
        return model.firstLayer(layout.ppRank() + 1, layout.ppSize()) - startLayer();
    }
}
