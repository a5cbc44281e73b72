/** The page tables of a serving engine: pools, leases, prefix cache. */
@NullMarked
package io.weft.replay.pages;

import org.jspecify.annotations.NullMarked;
