/**
 * Stand-ins for what core gives a backend, so that a backend can be tested alone: contexts that know each other as peers within
 * one process, options from their specs, memory, operations and recorded completions.
 */
@NullMarked
package io.weft.testkit.lone;

import org.jspecify.annotations.NullMarked;
