/** A decorator that makes any backend misbehave within what the contract allows a fabric to do. */
@NullMarked
package io.weft.testkit.faults;

import org.jspecify.annotations.NullMarked;
