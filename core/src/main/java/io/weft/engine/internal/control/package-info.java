/**
 * The control plane between engines: hello, liveness, keys, revocation, fences, ends of transfers and the backends' own
 * messages. Only interfaces and values here; {@code .socket} speaks them over TCP.
 */
@NullMarked
package io.weft.engine.internal.control;

import org.jspecify.annotations.NullMarked;
