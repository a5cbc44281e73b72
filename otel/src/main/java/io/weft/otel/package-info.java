/** Binds Weft's spans to OpenTelemetry. */
@NullMarked
package io.weft.otel;

import org.jspecify.annotations.NullMarked;
