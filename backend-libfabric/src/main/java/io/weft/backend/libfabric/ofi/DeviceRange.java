package io.weft.backend.libfabric.ofi;

/**
 * Device memory to be registered.
 *
 * @param address first byte, as the driver names it
 * @param length bytes
 * @param device the driver's number of the device
 * @param fd descriptor of a dma-buf that holds it, -1 to register by address
 * @param offset where in the dma-buf it begins
 */
public record DeviceRange(long address, long length, int device, int fd, long offset) {}
