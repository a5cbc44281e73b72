/** What peers tell this engine: notifications and ends of inbound transfers, bounded in count and age. */
@NullMarked
package io.weft.engine.internal.inbound;

import org.jspecify.annotations.NullMarked;
