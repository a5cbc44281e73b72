/** Registered buffers of a rank and the leases that rooms hold on them. */
@NullMarked
package io.weft.kv.internal.memory;

import org.jspecify.annotations.NullMarked;
