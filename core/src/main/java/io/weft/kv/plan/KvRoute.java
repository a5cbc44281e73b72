package io.weft.kv.plan;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How the KV buffers of one prefill rank map onto those of one decode rank. Computed once when the two meet, which is
 * where layouts that do not fit are refused (rule KV-7); used for every chunk afterwards.
 *
 * <p>Immutable; safe from any thread.
 *
 * @param groups buffers that share a plan
 * @param writes false if another prefill rank holds copies of the same heads and writes them to this decode rank
 * @since 0.1
 */
public record KvRoute(List<Group> groups, boolean writes) {
    /** Copies the list. */
    public KvRoute {
        groups = List.copyOf(groups);
    }

    /**
     * Buffer pairs that share one segment table.
     *
     * @param itemLen bytes of one source page
     * @param slice the heads to send, null if whole pages are
     * @param sources source buffers by position
     * @param destinations destination buffers by position
     * @since 0.1
     */
    public record Group(long itemLen, @Nullable HeadSlice slice, List<Integer> sources, List<Integer> destinations) {
        /** Copies the lists. */
        public Group {
            sources = List.copyOf(sources);
            destinations = List.copyOf(destinations);
        }

        /**
         * Bytes that one page pair moves between one buffer pair.
         *
         * @return bytes
         */
        public long bytesPerPage() {
            return slice == null ? itemLen : slice.bytesPerToken() * slice.pageSize();
        }
    }

    /**
     * Computes the route.
     *
     * @param source the prefill rank, fully known
     * @param destination the decode rank
     * @return the route
     * @throws io.weft.api.WeftException INCOMPATIBLE, naming both sides' values
     */
    public static KvRoute between(KvSide source, KvSide destination) {
        checkSame("page size", source.pageSize(), destination.pageSize(), 0);
        checkSame("KV cache dtype", source.dtype(), destination.dtype(), "");
        checkSame("total KV heads", source.totalHeads(), destination.totalHeads(), 0);
        if (source.mla() != destination.mla()) {
            throw Refusal.incompatible(
                    "prefill %s MLA and decode %s",
                    source.mla() ? "uses" : "does not use", destination.mla() ? "does" : "does not");
        }
        BufferPairs pairs = BufferPairs.of(source, destination);
        boolean whole = source.mla() || source.tpSize() == destination.tpSize();
        if (whole) {
            checkFirstItem(source, destination);
        }
        Map<List<Long>, Group> groups = new LinkedHashMap<>();
        for (int i = 0; i < pairs.size(); i++) {
            long itemLen = source.itemLens().get(pairs.source(i));
            long theirs = destinationItem(source, destination, pairs.destination(i), itemLen, whole);
            List<Long> key = List.of(itemLen, theirs);
            Group group = groups.get(key);
            if (group == null) {
                group = new Group(itemLen, slice(source, destination, itemLen, theirs, whole), List.of(), List.of());
            }
            groups.put(key, with(group, pairs.source(i), pairs.destination(i)));
        }
        return new KvRoute(List.copyOf(groups.values()), source.mla() || isWriter(source, destination));
    }

    private static @Nullable HeadSlice slice(
            KvSide source, KvSide destination, long itemLen, long theirs, boolean whole) {
        if (whole) {
            if (itemLen != theirs) {
                throw Refusal.incompatible(
                        "KV pages of one layer have %d bytes on prefill and %d bytes on decode, with the same heads",
                        itemLen, theirs);
            }
            return null;
        }
        HeadSlice slice = HeadSlice.of(
                source.totalHeads(),
                source.pageSize(),
                source.tpSize(),
                source.tpRank(),
                destination.tpSize(),
                destination.tpRank(),
                itemLen,
                theirs);
        return slice.isWholePage() ? null : slice;
    }

    /** An older peer only tells the length of its first buffer; where heads differ the rest follows from the head counts. */
    private static long destinationItem(KvSide source, KvSide destination, int position, long itemLen, boolean whole) {
        if (destination.knowsEveryItemLen()) {
            return destination.itemLens().get(position);
        }
        if (whole) {
            return itemLen;
        }
        if (source.isUniform()) {
            return destination.itemLens().getFirst();
        }
        int here = HeadShare.of("prefill", source.totalHeads(), source.tpSize(), source.tpRank())
                .count();
        int there = HeadShare.of("decode", source.totalHeads(), destination.tpSize(), destination.tpRank())
                .count();
        return itemLen / here * there;
    }

    private static void checkFirstItem(KvSide source, KvSide destination) {
        boolean comparable = !destination.knowsEveryItemLen() && source.isUniform();
        if (comparable
                && !source.itemLens().getFirst().equals(destination.itemLens().getFirst())) {
            throw Refusal.incompatible(
                    "KV pages have %d bytes on prefill and %d bytes on decode, with the same heads",
                    source.itemLens().getFirst(), destination.itemLens().getFirst());
        }
    }

    /** Of several prefill ranks with copies of the same heads, the first one that the decode rank hears from writes. */
    private static boolean isWriter(KvSide source, KvSide destination) {
        if (source.tpSize() <= destination.tpSize()) {
            return true;
        }
        HeadShare share = HeadShare.of("prefill", source.totalHeads(), source.tpSize(), source.tpRank());
        int firstCopy = source.tpRank() - source.tpRank() % share.replicas();
        int firstTarget = destination.tpRank() * (source.tpSize() / destination.tpSize());
        return source.tpRank() == Math.max(firstCopy, firstTarget);
    }

    private static Group with(Group group, int source, int destination) {
        return new Group(
                group.itemLen(), group.slice(), plus(group.sources(), source), plus(group.destinations(), destination));
    }

    private static List<Integer> plus(List<Integer> list, int element) {
        List<Integer> longer = new ArrayList<>(list);
        longer.add(element);
        return longer;
    }

    private static void checkSame(String what, Object ours, Object theirs, Object unknown) {
        if (!ours.equals(theirs) && !ours.equals(unknown) && !theirs.equals(unknown)) {
            throw Refusal.incompatible("%s is %s on prefill and %s on decode", what, ours, theirs);
        }
    }
}
