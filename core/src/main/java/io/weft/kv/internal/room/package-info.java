/** What rooms of both sides have in common. */
@NullMarked
package io.weft.kv.internal.room;

import org.jspecify.annotations.NullMarked;
