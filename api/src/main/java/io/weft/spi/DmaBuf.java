package io.weft.spi;

/**
 * Device memory exported for direct access by a NIC.
 *
 * <p>Immutable. The file descriptor belongs to whoever made the export.
 *
 * @param fd file descriptor of the dma-buf
 * @param offset offset of the wanted address in the exported range; getting it wrong writes to the wrong place
 * @param length exported length in bytes
 * @since 0.1
 */
public record DmaBuf(int fd, long offset, long length) {}
