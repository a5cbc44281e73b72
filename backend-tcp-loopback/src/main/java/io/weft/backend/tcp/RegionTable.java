package io.weft.backend.tcp;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Registered regions by id. Thread-safe; looking up takes no lock and boxes nothing, registering copies the table.
 */
final class RegionTable {
    private record Table(int[] ids, Region[] regions) {}

    private volatile Table table = new Table(new int[0], new Region[0]);

    @Nullable
    Region find(int id) {
        Table now = table;
        int at = Arrays.binarySearch(now.ids, id);
        return at < 0 ? null : now.regions[at];
    }

    synchronized void add(Region region) {
        int id = region.spec().regionId();
        int at = -1 - Arrays.binarySearch(table.ids, id);
        if (at < 0) {
            throw new IllegalStateException("region id " + Integer.toUnsignedString(id) + " is registered already");
        }
        int count = table.ids.length;
        int[] ids = new int[count + 1];
        Region[] regions = new Region[count + 1];
        System.arraycopy(table.ids, 0, ids, 0, at);
        System.arraycopy(table.regions, 0, regions, 0, at);
        ids[at] = id;
        regions[at] = region;
        System.arraycopy(table.ids, at, ids, at + 1, count - at);
        System.arraycopy(table.regions, at, regions, at + 1, count - at);
        table = new Table(ids, regions);
    }

    synchronized void remove(Region region) {
        int at = Arrays.binarySearch(table.ids, region.spec().regionId());
        if (at < 0 || table.regions[at] != region) {
            return;
        }
        int count = table.ids.length - 1;
        int[] ids = new int[count];
        Region[] regions = new Region[count];
        System.arraycopy(table.ids, 0, ids, 0, at);
        System.arraycopy(table.regions, 0, regions, 0, at);
        System.arraycopy(table.ids, at + 1, ids, at, count - at);
        System.arraycopy(table.regions, at + 1, regions, at, count - at);
        table = new Table(ids, regions);
    }

    int size() {
        return table.ids.length;
    }
}
