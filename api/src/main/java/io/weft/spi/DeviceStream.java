package io.weft.spi;

import io.weft.api.WeftException;

/**
 * A queue of asynchronous copies between device and host memory, executed in order. Implemented by vendors; confined to one
 * thread at a time. Copies allocate nothing.
 *
 * @since 0.1
 */
public interface DeviceStream extends AutoCloseable {
    /**
     * Queues a copy to the host.
     *
     * @param hostAddress destination, pinned if it is to be quick
     * @param deviceAddress source
     * @param length bytes
     * @throws WeftException DEVICE
     */
    void copyToHost(long hostAddress, long deviceAddress, long length);

    /**
     * Queues a copy to the device.
     *
     * @param deviceAddress destination
     * @param hostAddress source, pinned if it is to be quick
     * @param length bytes
     * @throws WeftException DEVICE
     */
    void copyToDevice(long deviceAddress, long hostAddress, long length);

    /**
     * Marks the present end of the queue.
     *
     * @return a ticket
     */
    long mark();

    /**
     * Whether everything queued before a mark is done. Never blocks.
     *
     * @param ticket a ticket of this stream
     * @return true if done
     * @throws WeftException DEVICE if a copy failed
     */
    boolean isDone(long ticket);

    /** Waits for what is queued, bounded by the driver, and frees the stream. Idempotent. */
    @Override
    void close();
}
