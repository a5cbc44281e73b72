/**
 * Runs golden vectors through the product's codecs and planners. Only public ones are called, with the vector's inputs;
 * what a vector expects decides.
 */
@NullMarked
package io.weft.cli.vectors;

import org.jspecify.annotations.NullMarked;
