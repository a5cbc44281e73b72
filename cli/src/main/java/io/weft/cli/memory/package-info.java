/** What the commands that work on device memory share. */
@NullMarked
package io.weft.cli.memory;

import org.jspecify.annotations.NullMarked;
