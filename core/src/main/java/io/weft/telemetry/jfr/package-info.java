/** Events for Java Flight Recorder. Each asks first whether anybody records, and makes nothing if not. */
@NullMarked
package io.weft.telemetry.jfr;

import org.jspecify.annotations.NullMarked;
