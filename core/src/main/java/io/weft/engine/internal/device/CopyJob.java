package io.weft.engine.internal.device;

import io.weft.api.MemoryLocation;
import io.weft.api.WeftException;
import org.jspecify.annotations.Nullable;

/**
 * A batch of copies between places in one device region and one contiguous piece of host memory, in the order of the
 * places. Belongs to the copying thread from {@link Copies#submit} until {@link #ended}.
 */
public abstract class CopyJob {
    MemoryLocation location = MemoryLocation.HOST;
    boolean toDevice;
    long deviceBase;
    long hostAddress;
    long[] offsets = new long[0];
    long[] lengths = new long[0];
    int count;
    long ticket;

    /** Made by subclasses. */
    protected CopyJob() {}

    /**
     * Says what to copy. The arrays are lent until the end.
     *
     * @param device where the device region is
     * @param write true to copy to the device
     * @param base first address of the device region
     * @param host first address of the host memory
     * @param deviceOffsets offsets in the device region
     * @param bytes lengths
     * @param places how many of them
     */
    public final void set(
            MemoryLocation device,
            boolean write,
            long base,
            long host,
            long[] deviceOffsets,
            long[] bytes,
            int places) {
        location = device;
        toDevice = write;
        deviceBase = base;
        hostAddress = host;
        offsets = deviceOffsets;
        lengths = bytes;
        count = places;
    }

    /**
     * Ends a job that was not submitted.
     *
     * @param why what is wrong
     */
    public final void fail(WeftException why) {
        ended(why);
    }

    /**
     * Nothing touches the memory for this job any more. Called on the copying thread; must not block.
     *
     * @param failure what the driver said, null if all bytes are in place
     */
    protected abstract void ended(@Nullable WeftException failure);
}
