/**
 * What a backend implements: {@link io.weft.spi.BackendProvider}, {@link io.weft.spi.Backend}, {@link io.weft.spi.Link},
 * and what core gives it: {@link io.weft.spi.BackendContext}.
 *
 * <p>SPI level 0.x: it may still change until tcp, rdma and libfabric pass the kit. Vendor-implemented types grow by
 * default methods only. {@code docs/spi-walkthrough.md} maps every method onto real and planned fabrics.
 */
@NullMarked
package io.weft.spi;

import org.jspecify.annotations.NullMarked;
