package io.weft.cli.rank;

import io.weft.api.ErrorCode;
import io.weft.api.MemoryLocation;
import io.weft.api.WeftException;
import io.weft.kv.layout.BufferSpec;
import io.weft.kv.layout.KvArgs;
import io.weft.kv.layout.StateSpec;
import io.weft.kv.plan.HeadShare;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** All buffers of a rank. Used by one writing thread at a time; reading beside it is the driver's business. */
final class Buffers implements AutoCloseable {
    private final LayoutFile layout;
    private final Memory memory;
    private final HostMemory auxMemory = new HostMemory();
    private final List<Buffer> kv = new ArrayList<>();
    private final List<Buffer> aux = new ArrayList<>();
    private final List<List<Buffer>> state = new ArrayList<>();

    Buffers(LayoutFile layout, Memory memory) {
        this.layout = layout;
        this.memory = memory;
        makeKv();
        for (int i = 0; i < layout.auxItemLens().length; i++) {
            int bytes = layout.auxItemLens()[i];
            long length = (long) bytes * layout.auxSlots();
            BufferSpec spec = new BufferSpec(auxMemory.allocate(length), length, bytes, MemoryLocation.HOST);
            aux.add(new Buffer(i, spec, Pattern.AUX, i, 1, 1, 0, bytes));
        }
        for (int c = 0; c < layout.states().size(); c++) {
            state.add(makeState(c, layout.states().get(c)));
        }
    }

    private void makeKv() {
        HeadShare heads = layout.mla()
                ? new HeadShare(0, 1, 1)
                : HeadShare.of(
                        "layout",
                        layout.kvHeads(),
                        layout.parallel().tpSize(),
                        layout.parallel().tpRank());
        long item = (long) layout.pageSize() * heads.count() * layout.headBytes();
        int[] kinds = layout.mla() ? new int[] {Pattern.K} : new int[] {Pattern.K, Pattern.V};
        for (int kind : kinds) {
            for (int layer = layout.startLayer(); layer < layout.endLayer(); layer++) {
                BufferSpec spec = allocate(item, layout.pages());
                kv.add(new Buffer(
                        kv.size(),
                        spec,
                        kind,
                        layer,
                        layout.pageSize(),
                        heads.count(),
                        heads.first(),
                        layout.headBytes()));
            }
        }
    }

    private List<Buffer> makeState(int component, LayoutFile.State declared) {
        List<Buffer> tensors = new ArrayList<>();
        int rank = layout.parallel().tpRank();
        for (int t = 0; t < declared.itemLens().length; t++) {
            long item = declared.itemLens()[t];
            boolean sliced = declared.dims().length > 0;
            int units = sliced ? Math.toIntExact(declared.dims()[t]) : 1;
            if (item % units != 0) {
                throw new WeftException(
                        ErrorCode.INVALID_ARGUMENT,
                        "state component " + component + ", tensor " + t + ": " + item + " bytes are not " + units
                                + " equal slices");
            }
            int first = sliced ? rank * units : layout.mla() ? 0 : rank;
            tensors.add(new Buffer(
                    t,
                    allocate(item, declared.slots()),
                    Pattern.STATE + component,
                    t,
                    1,
                    units,
                    first,
                    Math.toIntExact(item / units)));
        }
        return tensors;
    }

    private BufferSpec allocate(long item, int items) {
        long length = Math.multiplyExact(item, items);
        return new BufferSpec(memory.allocate(length), length, item, memory.location());
    }

    /** What the KV layer is told of them. */
    KvArgs args() {
        List<StateSpec> states = new ArrayList<>();
        for (int c = 0; c < state.size(); c++) {
            LayoutFile.State declared = layout.states().get(c);
            states.add(new StateSpec(
                    declared.type(),
                    specs(state.get(c)),
                    java.util.Arrays.stream(declared.dims()).boxed().toList(),
                    List.of()));
        }
        return KvArgs.builder()
                .engineRank(layout.engineRank())
                .kv(specs(kv))
                .layerIds(kv.stream().map(Buffer::layer).toList())
                .aux(specs(aux))
                .state(states)
                .organisation(layout.mla(), false, false)
                .pageSize(layout.pageSize())
                .heads(layout.mla() ? 0 : kv.getFirst().units(), layout.mla() ? 0 : layout.kvHeads())
                .startLayer(layout.startLayer())
                .gpuId(layout.gpuId())
                .dtype(layout.dtype())
                .build();
    }

    private static List<BufferSpec> specs(List<Buffer> buffers) {
        return buffers.stream().map(Buffer::spec).toList();
    }

    LayoutFile layout() {
        return layout;
    }

    /**
     * A group of buffers by its name in the command language.
     *
     * @param group kv, aux or state
     * @param component which state component
     */
    List<Buffer> group(String group, int component) {
        return switch (group) {
            case "kv" -> kv;
            case "aux" -> aux;
            case "state" -> {
                if (component < 0 || component >= state.size()) {
                    throw invalid("there is no state component " + component + ", only " + state.size());
                }
                yield state.get(component);
            }
            default -> throw invalid("buffer must be kv, aux or state, found '" + group + "'");
        };
    }

    int components() {
        return state.size();
    }

    /** Writes the pattern into items of a group. */
    void fill(List<Buffer> group, long seed, int[] items) {
        for (Buffer buffer : group) {
            byte[] scratch = new byte[buffer.itemBytes()];
            for (int item : items) {
                check(buffer, item);
                buffer.pattern(scratch, seed, item);
                put(buffer, item, scratch);
            }
        }
    }

    /** Sets every byte of items of a group. */
    void set(List<Buffer> group, int[] items, byte value) {
        for (Buffer buffer : group) {
            byte[] scratch = new byte[buffer.itemBytes()];
            java.util.Arrays.fill(scratch, value);
            for (int item : items) {
                check(buffer, item);
                put(buffer, item, scratch);
            }
        }
    }

    void zero() {
        all().forEach(group -> set(group, allItems(group), (byte) 0));
    }

    private static int[] allItems(List<Buffer> group) {
        return group.isEmpty()
                ? new int[0]
                : IntStream.range(0, group.getFirst().items()).toArray();
    }

    private List<List<Buffer>> all() {
        List<List<Buffer>> all = new ArrayList<>(List.of(kv, aux));
        all.addAll(state);
        return all;
    }

    void put(Buffer buffer, int item, byte[] bytes) {
        memoryOf(buffer).put(buffer.addressOf(item), MemorySegment.ofArray(bytes));
    }

    MemorySegment get(Buffer buffer, long offset, long length) {
        return memoryOf(buffer).get(buffer.spec().address() + offset, length);
    }

    private Memory memoryOf(Buffer buffer) {
        return buffer.kind() == Pattern.AUX ? auxMemory : memory;
    }

    static void check(Buffer buffer, int item) {
        if (item < 0 || item >= buffer.items()) {
            throw invalid("item " + item + " is outside a buffer of " + buffer.items() + " items");
        }
    }

    /** Bytes that a room moves into this rank. */
    long bytesOf(int @Nullable [] pages, int auxIndex, @Nullable List<int @Nullable []> states) {
        long bytes = pages == null ? 0 : itemBytes(kv) * pages.length;
        if (auxIndex >= 0) {
            bytes += itemBytes(aux);
        }
        for (int c = 0; states != null && c < Math.min(states.size(), state.size()); c++) {
            int[] slots = states.get(c);
            bytes += slots == null ? 0 : itemBytes(state.get(c)) * slots.length;
        }
        return bytes;
    }

    private static long itemBytes(List<Buffer> group) {
        return group.stream().mapToLong(Buffer::itemBytes).sum();
    }

    /** Puts the room into an aux row, where the layout says so, so that decode knows the row to be complete. */
    void writeRoom(int auxIndex, long room) {
        if (layout.roomCell() >= 0 && auxIndex >= 0) {
            roomCell(auxIndex)
                    .set(ValueLayout.JAVA_LONG_UNALIGNED.withOrder(java.nio.ByteOrder.LITTLE_ENDIAN), 0, room);
        }
    }

    /** The room in an aux row; anything but 0 where the layout names no cell. */
    long readRoom(int auxIndex) {
        return layout.roomCell() < 0 || auxIndex < 0
                ? -1
                : roomCell(auxIndex)
                        .get(ValueLayout.JAVA_LONG_UNALIGNED.withOrder(java.nio.ByteOrder.LITTLE_ENDIAN), 0);
    }

    private MemorySegment roomCell(int auxIndex) {
        Buffer buffer = aux.get(layout.roomCell());
        check(buffer, auxIndex);
        return get(buffer, auxIndex * buffer.spec().itemLen(), Long.BYTES);
    }

    private static WeftException invalid(String text) {
        return new WeftException(ErrorCode.INVALID_ARGUMENT, text);
    }

    @Override
    public void close() {
        auxMemory.close();
        memory.close();
    }
}
