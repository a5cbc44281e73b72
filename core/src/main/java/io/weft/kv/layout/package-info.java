/**
 * What a rank is: its place in the parallel layout, its buffers, and whether two ranks fit each other. Values only.
 */
@NullMarked
package io.weft.kv.layout;

import org.jspecify.annotations.NullMarked;
