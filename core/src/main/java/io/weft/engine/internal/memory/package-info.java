/** This engine's own regions: registering, exporting keys, revoking, letting go. Knows peers only as holders of keys. */
@NullMarked
package io.weft.engine.internal.memory;

import org.jspecify.annotations.NullMarked;
