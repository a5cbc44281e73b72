/** Registry and ranks as operating-system processes that speak JSON lines. */
@NullMarked
package io.weft.replay.rank;

import org.jspecify.annotations.NullMarked;
