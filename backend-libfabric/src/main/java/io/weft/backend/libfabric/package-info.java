/** Backend {@code libfabric}: one-sided RMA over any libfabric provider. The binding is in {@code ofi}. */
@NullMarked
package io.weft.backend.libfabric;

import org.jspecify.annotations.NullMarked;
