/** From a caller's arguments to a transfer: every check, and every refusal as a value (rule ERR-1). */
@NullMarked
package io.weft.engine.internal.submit;

import org.jspecify.annotations.NullMarked;
