/** Prefill and decode ranks over the backend under test, for the rules of the KV layer. */
@NullMarked
package io.weft.tck.kv;

import org.jspecify.annotations.NullMarked;
