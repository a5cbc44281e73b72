/**
 * Finds backends and device memory through {@link java.util.ServiceLoader} and says about each whether it can be used and
 * why not. A provider that throws, does not link, hangs or lies is reported and leaves the others to work.
 */
@NullMarked
package io.weft.discovery;

import org.jspecify.annotations.NullMarked;
