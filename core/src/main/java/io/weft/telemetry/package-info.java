/**
 * What Weft measures: the catalogue of metrics and the way to read them, the picture of what goes on, health. Knows no metrics
 * library and no wire; {@code io.weft.ops} binds it to both. Nothing here is called while bytes move: counters are counted where
 * they always were, and read when somebody asks.
 */
@NullMarked
package io.weft.telemetry;

import org.jspecify.annotations.NullMarked;
