/**
 * The control plane over TCP: one listening port per engine, one authenticated connection per pair of engines. Frames are
 * described in {@code docs/wire.md}.
 *
 * <p>One I/O thread per engine owns all sockets and every decision about sessions; it only moves bytes, decodes and counts. What
 * may block (the engine's handler) runs on lanes: bounded queues, one set per session, on platform threads, because virtual
 * threads share few carriers and a native call that blocks would hold one back from all peers.
 */
@NullMarked
package io.weft.engine.internal.control.socket;

import org.jspecify.annotations.NullMarked;
