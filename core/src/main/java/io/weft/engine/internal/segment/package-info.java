/**
 * Segments as flat arrays: checking, sorting, merging, finding overlaps, cutting into pieces. Pure; knows neither regions nor
 * peers nor backends.
 */
@NullMarked
package io.weft.engine.internal.segment;

import org.jspecify.annotations.NullMarked;
