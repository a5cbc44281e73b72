/** The engine itself: its parts put together, opened and closed. Not exported; {@link io.weft.engine.Weft} is the entry. */
@NullMarked
package io.weft.engine.internal;

import org.jspecify.annotations.NullMarked;
