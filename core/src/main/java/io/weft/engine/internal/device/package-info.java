/** Device memory of one engine: its providers, opened when first needed, and the thread that copies to and from it. */
@NullMarked
package io.weft.engine.internal.device;

import org.jspecify.annotations.NullMarked;
