/**
 * How the engine shares work between threads without locks around calls into backends: a {@link
 * io.weft.engine.internal.concurrent.Turn} serialises everything of one peer. Knows nothing of transfers.
 */
@NullMarked
package io.weft.engine.internal.concurrent;

import org.jspecify.annotations.NullMarked;
