package io.weft.tck.kv;

import io.weft.api.MemoryLocation;
import io.weft.kv.layout.BufferSpec;
import io.weft.kv.layout.KvArgs;
import io.weft.kv.layout.ParallelLayout;
import io.weft.kv.layout.StateSpec;
import io.weft.kv.layout.StateType;
import io.weft.kv.plan.HeadShare;
import io.weft.tck.harness.Expect;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongFunction;
import java.util.stream.IntStream;

/** The buffers of one rank, and what they must hold. Confined to the test's thread. */
final class KvMemory {
    /** What memory holds that nothing was sent to. */
    private static final byte UNTOUCHED = 0x5A;

    private final KvModel model;
    private final ParallelLayout layout;
    private final HeadShare heads;
    private final int firstLayer;
    private final int layers;
    private final List<Buffer> kv = new ArrayList<>();
    private final List<Buffer> aux = new ArrayList<>();
    private final List<Buffer> state = new ArrayList<>();

    /** The content of an item, as the model has it. */
    private interface Content {
        byte[] of(int item);
    }

    private record Buffer(String name, MemorySegment memory, int itemLen, Content content) {
        BufferSpec spec() {
            return new BufferSpec(memory.address(), memory.byteSize(), itemLen, MemoryLocation.HOST);
        }

        byte[] untouched() {
            byte[] bytes = new byte[(int) memory.byteSize()];
            Arrays.fill(bytes, UNTOUCHED);
            return bytes;
        }

        void place(int modelItem, byte[] into, int item) {
            System.arraycopy(content.of(modelItem), 0, into, item * itemLen, itemLen);
        }
    }

    KvMemory(KvModel model, ParallelLayout layout, LongFunction<MemorySegment> allocator) {
        this.model = model;
        this.layout = layout;
        heads = model.share(layout.tpSize(), layout.tpRank());
        firstLayer = model.firstLayer(layout.ppRank(), layout.ppSize());
        layers = model.firstLayer(layout.ppRank() + 1, layout.ppSize()) - firstLayer;
        int itemLen = model.pageSize() * heads.count() * model.headBytes();
        for (int i = 0; i < (model.mla() ? layers : 2 * layers); i++) {
            int kind = i / layers;
            int layer = firstLayer + i % layers;
            kv.add(new Buffer(
                    (kind == 0 ? "K of layer " : "V of layer ") + layer,
                    allocator.apply((long) model.pages() * itemLen),
                    itemLen,
                    page -> page(kind, layer, page)));
        }
        for (int i = 0; i < KvModel.AUX.size(); i++) {
            int buffer = i;
            int length = KvModel.AUX.get(i);
            aux.add(new Buffer(
                    "aux " + i,
                    allocator.apply((long) KvModel.ROWS * length),
                    length,
                    row -> bytes(length, b -> KvModel.aux(buffer, row, b))));
        }
        if (model.window()) {
            state.add(new Buffer(
                    "state",
                    allocator.apply((long) model.pages() * KvModel.WINDOW_BYTES),
                    KvModel.WINDOW_BYTES,
                    item -> bytes(KvModel.WINDOW_BYTES, b -> KvModel.state(item, b))));
        }
        buffers().forEach(b -> b.memory().fill(UNTOUCHED));
    }

    KvArgs args() {
        KvArgs.Builder args = KvArgs.builder()
                .engineRank(layout.tpRank())
                .pageSize(model.pageSize())
                .organisation(model.mla(), false, false)
                .heads(heads.count(), model.mla() ? 0 : model.heads())
                .startLayer(firstLayer)
                .kv(kv.stream().map(Buffer::spec).toList())
                .layerIds(IntStream.range(0, kv.size())
                        .mapToObj(i -> firstLayer + i % layers)
                        .toList())
                .aux(aux.stream().map(Buffer::spec).toList());
        if (model.window()) {
            args.state(List.of(new StateSpec(
                    StateType.SWA, state.stream().map(Buffer::spec).toList(), List.of(), List.of())));
        }
        return args.build();
    }

    /** Fills every item with what the model has there. */
    void fill() {
        for (Buffer buffer : buffers()) {
            byte[] all = buffer.untouched();
            for (int item = 0; item < all.length / buffer.itemLen(); item++) {
                buffer.place(item, all, item);
            }
            MemorySegment.copy(all, 0, buffer.memory(), ValueLayout.JAVA_BYTE, 0, all.length);
        }
    }

    /** Fails unless this memory holds what some rooms brought, and nothing else. */
    void expect(String when, Room... rooms) {
        for (Buffer buffer : kv) {
            compare(when, buffer, room -> room.source(), Room::pages, rooms);
        }
        for (Buffer buffer : aux) {
            compare(when, buffer, room -> row(room.sourceRow()), room -> row(room.row()), rooms);
        }
        for (Buffer buffer : state) {
            compare(
                    when,
                    buffer,
                    room -> room.window() ? room.source() : new int[0],
                    room -> room.window() ? room.pages() : new int[0],
                    rooms);
        }
    }

    /** Bytes of one page over all buffers. */
    long pageBytes() {
        return kv.stream().mapToLong(Buffer::itemLen).sum();
    }

    private List<Buffer> buffers() {
        List<Buffer> all = new ArrayList<>(kv);
        all.addAll(aux);
        all.addAll(state);
        return all;
    }

    private interface Items {
        int[] of(Room room);
    }

    private static void compare(String when, Buffer buffer, Items from, Items to, Room... rooms) {
        byte[] wanted = buffer.untouched();
        for (Room room : rooms) {
            for (int i = 0; i < to.of(room).length; i++) {
                buffer.place(from.of(room)[i], wanted, to.of(room)[i]);
            }
        }
        Expect.sameBytes(
                when + ", " + buffer.name() + " (items of " + buffer.itemLen() + " bytes)",
                wanted,
                buffer.memory().toArray(ValueLayout.JAVA_BYTE));
    }

    private static int[] row(int row) {
        return row < 0 ? new int[0] : new int[] {row};
    }

    private byte[] page(int kind, int layer, int page) {
        byte[] bytes = new byte[model.pageSize() * heads.count() * model.headBytes()];
        int at = 0;
        for (int token = 0; token < model.pageSize(); token++) {
            for (int head = 0; head < heads.count(); head++) {
                for (int b = 0; b < model.headBytes(); b++) {
                    bytes[at++] = KvModel.kv(kind, layer, page, token, heads.first() + head, b);
                }
            }
        }
        return bytes;
    }

    private interface ByteAt {
        byte at(int index);
    }

    private static byte[] bytes(int length, ByteAt value) {
        byte[] bytes = new byte[length];
        for (int b = 0; b < length; b++) {
            bytes[b] = value.at(b);
        }
        return bytes;
    }
}
