/** ZeroMQ PUSH and PULL sockets of a rank. The only package that knows ZeroMQ. */
@NullMarked
package io.weft.kv.internal.endpoint;

import org.jspecify.annotations.NullMarked;
