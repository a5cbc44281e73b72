/** The {@code weft} command: parses arguments, calls the engine, prints. Holds no transfer logic of its own. */
@NullMarked
package io.weft.cli;

import org.jspecify.annotations.NullMarked;
