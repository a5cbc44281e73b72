/** Model geometries, and how much of one a replay carries. */
@NullMarked
package io.weft.replay.model;

import org.jspecify.annotations.NullMarked;
