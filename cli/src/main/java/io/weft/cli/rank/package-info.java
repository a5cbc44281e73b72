/** A rank as a process: buffers with a computable pattern, driven by JSON lines. */
@NullMarked
package io.weft.cli.rank;

import org.jspecify.annotations.NullMarked;
