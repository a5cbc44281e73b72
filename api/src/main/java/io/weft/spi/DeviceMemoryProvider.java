package io.weft.spi;

import io.weft.api.MemoryKind;
import io.weft.api.WeftException;

/**
 * The entry of a kind of device memory, found by {@link java.util.ServiceLoader} like backends. Implemented by vendors; the
 * constructor loads nothing.
 *
 * @since 0.1
 */
public interface DeviceMemoryProvider {
    /**
     * The kind it provides.
     *
     * @return the kind
     */
    MemoryKind kind();

    /**
     * The SPI level it was compiled for; see {@link BackendProvider#builtFor}.
     *
     * @return the level
     */
    SpiLevel builtFor();

    /**
     * Whether such memory is here. As {@link BackendProvider#probe}: bounded, never throws, holds nothing.
     *
     * @param deadlineNanos a value of {@link System#nanoTime()}
     * @return usable with devices, or why not
     */
    Availability probe(long deadlineNanos);

    /**
     * Opens it for one engine.
     *
     * @return an open device memory
     * @throws WeftException DEVICE with the driver's code
     */
    DeviceMemory open();
}
