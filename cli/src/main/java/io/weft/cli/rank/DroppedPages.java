package io.weft.cli.rank;

import io.weft.api.Region;
import io.weft.api.SegmentTable;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Source pages that a test wants left out of transfers. Safe from any thread. */
final class DroppedPages {
    private final Set<Integer> pages = ConcurrentHashMap.newKeySet();
    private final List<Buffer> kv;

    DroppedPages(List<Buffer> kv) {
        this.kv = kv;
    }

    boolean isEmpty() {
        return pages.isEmpty();
    }

    void add(int[] more) {
        Arrays.stream(more).forEach(pages::add);
    }

    void remove(int[] some) {
        Arrays.stream(some).forEach(pages::remove);
    }

    /** The table without the dropped pages, if the region is a KV buffer. */
    SegmentTable without(Region local, SegmentTable table) {
        Buffer buffer = bufferOf(local);
        if (buffer == null || pages.isEmpty()) {
            return table;
        }
        Rest rest = new Rest(table.size() * 2);
        for (int i = table.from(); i < table.to(); i++) {
            rest.keep(buffer, table.localOffsets()[i], table.remoteOffsets()[i], table.lengths()[i]);
        }
        return rest.table();
    }

    private @org.jspecify.annotations.Nullable Buffer bufferOf(Region region) {
        for (Buffer buffer : kv) {
            if (buffer.spec().address() == region.address()) {
                return buffer;
            }
        }
        return null;
    }

    /** Collects what is left of segments, page by page. */
    private final class Rest {
        private long[] local;
        private long[] remote;
        private long[] lengths;
        private int count;

        Rest(int capacity) {
            local = new long[capacity];
            remote = new long[capacity];
            lengths = new long[capacity];
        }

        void keep(Buffer buffer, long localOffset, long remoteOffset, long length) {
            long item = buffer.spec().itemLen();
            long at = localOffset;
            long end = localOffset + length;
            while (at < end) {
                int page = (int) (at / item);
                long to = Math.min(end, (page + 1) * item);
                if (!pages.contains(page)) {
                    add(at, remoteOffset + (at - localOffset), to - at);
                }
                at = to;
            }
        }

        private void add(long localOffset, long remoteOffset, long length) {
            if (count == lengths.length) {
                int larger = Math.max(16, count * 2);
                local = Arrays.copyOf(local, larger);
                remote = Arrays.copyOf(remote, larger);
                lengths = Arrays.copyOf(lengths, larger);
            }
            local[count] = localOffset;
            remote[count] = remoteOffset;
            lengths[count++] = length;
        }

        SegmentTable table() {
            return SegmentTable.of(local, remote, lengths, 0, count);
        }
    }
}
