/**
 * The sending side: rooms as state machines, the decode ranks that registered, and the shards that plan and submit.
 */
@NullMarked
package io.weft.kv.internal.prefill;

import org.jspecify.annotations.NullMarked;
