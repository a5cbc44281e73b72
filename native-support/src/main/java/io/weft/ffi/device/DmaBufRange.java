package io.weft.ffi.device;

/**
 * The whole pages around a range, as dma-buf exports want them. The wanted address lies {@code address - start} bytes inside
 * the export; taking that for 0 writes to the wrong place.
 *
 * @param start first address of the export, a multiple of the page size
 * @param length bytes of the export, a multiple of the page size
 */
record DmaBufRange(long start, long length) {
    static DmaBufRange within(long base, long size, long address, long wanted, long page) {
        long start = Math.max(base & -page, address & -page);
        long end = (address + wanted + page - 1) & -page;
        long allocationEnd = (base + size + page - 1) & -page;
        return new DmaBufRange(start, Math.min(end, allocationEnd) - start);
    }
}
