/**
 * Binds what core tells about itself to the outside: Micrometer meters, and an HTTP endpoint with metrics for Prometheus, health, and
 * the picture that {@code weft inspect} shows. Decides nothing and changes nothing in an engine.
 */
@NullMarked
package io.weft.ops;

import org.jspecify.annotations.NullMarked;
