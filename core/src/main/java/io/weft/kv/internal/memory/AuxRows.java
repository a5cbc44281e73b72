package io.weft.kv.internal.memory;

import io.weft.kv.layout.BufferSpec;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Rows of one aux buffer. Safe from any thread; rows are the room's that leased them. */
public record AuxRows(BufferSpec spec, MemorySegment memory) {
    /**
     * Copies a row out.
     *
     * @param row which
     * @return its bytes
     */
    public byte[] read(int row) {
        return memory.asSlice(row * spec.itemLen(), spec.itemLen()).toArray(ValueLayout.JAVA_BYTE);
    }

    /**
     * Copies a row in, if it is one.
     *
     * @param row which
     * @param data its bytes
     * @return false if there is no such row or the length is another
     */
    public boolean write(int row, byte[] data) {
        if (row < 0 || row >= spec.items() || data.length != spec.itemLen()) {
            return false;
        }
        MemorySegment.copy(data, 0, memory, ValueLayout.JAVA_BYTE, row * spec.itemLen(), data.length);
        return true;
    }
}
