package io.weft.kv.wire;

import io.weft.kv.layout.PeerLayout;
import java.io.IOException;
import java.util.List;
import org.msgpack.core.MessagePacker;

/** A {@link PeerLayout} as a msgpack array; fields are only ever added at the end. */
final class LayoutCodec {
    private static final int FIELDS = 12;

    private LayoutCodec() {}

    static void encode(MessagePacker out, PeerLayout x) throws IOException {
        out.packArrayHeader(FIELDS)
                .packInt(x.pageSize())
                .packString(x.dtype())
                .packBoolean(x.mla())
                .packInt(x.tpSize())
                .packInt(x.tpRank())
                .packInt(x.ppSize())
                .packInt(x.ppRank())
                .packInt(x.totalKvHeads());
        out.packArrayHeader(x.itemLens().size());
        for (long itemLen : x.itemLens()) {
            out.packLong(itemLen);
        }
        integers(out, x.layerIds());
        out.packArrayHeader(x.stateTypes().size());
        for (String type : x.stateTypes()) {
            out.packString(type);
        }
        out.packArrayHeader(x.convShardGroups().size());
        for (List<List<Integer>> component : x.convShardGroups()) {
            out.packArrayHeader(component.size());
            for (List<Integer> tensor : component) {
                integers(out, tensor);
            }
        }
    }

    static PeerLayout decode(BoundedUnpacker in) throws FrameException {
        int fields = in.arrayHeader();
        if (fields < FIELDS) {
            throw FrameException.malformed("layout has " + fields + " fields, must have " + FIELDS + " or more");
        }
        PeerLayout layout = new PeerLayout(
                in.integer(),
                in.text(),
                in.bool(),
                in.integer(),
                in.integer(),
                in.integer(),
                in.integer(),
                in.integer(),
                in.list(in::positive),
                in.list(in::integer),
                in.list(in::text),
                in.list(() -> in.list(() -> in.list(in::integer))));
        for (int i = FIELDS; i < fields; i++) {
            in.skip();
        }
        return layout;
    }

    private static void integers(MessagePacker out, List<Integer> values) throws IOException {
        out.packArrayHeader(values.size());
        for (int value : values) {
            out.packInt(value);
        }
    }
}
