/** Wrappers around a whole engine, for tests of what stands above it. */
@NullMarked
package io.weft.testkit.engine;

import org.jspecify.annotations.NullMarked;
