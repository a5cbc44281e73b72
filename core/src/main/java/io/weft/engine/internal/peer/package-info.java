/**
 * Peers and everything that belongs to one: its session, links, keys, transfers. Each peer is a {@link
 * io.weft.engine.internal.concurrent.Turn}: what is said to be "in the turn" is touched by one thread at a time and needs no
 * lock.
 */
@NullMarked
package io.weft.engine.internal.peer;

import org.jspecify.annotations.NullMarked;
