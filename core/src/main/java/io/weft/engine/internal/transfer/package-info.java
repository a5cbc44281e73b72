/** What a caller holds of a transfer: its state, waiting, callbacks. How it is carried out is the peers' business. */
@NullMarked
package io.weft.engine.internal.transfer;

import org.jspecify.annotations.NullMarked;
