package io.weft.cli.rank;

import io.weft.api.MemoryLocation;
import java.lang.foreign.MemorySegment;

/** Memory of a rank's buffers. Used by one thread at a time. */
interface Memory extends AutoCloseable {
    MemoryLocation location();

    /** Zeroed memory; lives until this is closed. */
    long allocate(long length);

    /** Stores bytes. */
    void put(long address, MemorySegment bytes);

    /** The bytes at an address: a view, or a copy that the next call overwrites. */
    MemorySegment get(long address, long length);

    @Override
    void close();
}
