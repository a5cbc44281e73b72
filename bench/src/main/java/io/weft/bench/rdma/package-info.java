/** What the RDMA backend itself costs, without a device. */
@NullMarked
package io.weft.bench.rdma;

import org.jspecify.annotations.NullMarked;
