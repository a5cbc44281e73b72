/**
 * Provider {@code tcp}: moves registered host memory over TCP sockets. Speaks MORI-IO's TCP protocol v3 with plain engines
 * (classes {@code V3...}) and a leaner lane protocol between Weft engines (classes {@code Lane...}); both run on the few
 * threads of {@code Reactor}. {@code docs/tcp.md} specifies the bytes.
 */
@NullMarked
package io.weft.backend.tcp;

import org.jspecify.annotations.NullMarked;
