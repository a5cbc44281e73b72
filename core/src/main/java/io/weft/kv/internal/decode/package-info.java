/**
 * The receiving side: rooms as state machines, the prefill instances they talk to, and the drain of what failed rooms leased.
 */
@NullMarked
package io.weft.kv.internal.decode;

import org.jspecify.annotations.NullMarked;
