/** Request traces: the public format of 512-token block hashes, from a file or made up by seed. */
@NullMarked
package io.weft.replay.trace;

import org.jspecify.annotations.NullMarked;
