/** Deadlines: one thread for all of them. */
@NullMarked
package io.weft.engine.internal.time;

import org.jspecify.annotations.NullMarked;
