/** What rules stand on: engines in this and other processes, memory with known content, clocks, and the cases of a rule. */
@NullMarked
package io.weft.tck.harness;

import org.jspecify.annotations.NullMarked;
