/**
 * An engine by Guice: {@link io.weft.guice.WeftModule} offers every replacement that {@link io.weft.engine.Weft#builder()}
 * does. Guice is optional; nothing else in Weft refers to this package.
 */
@NullMarked
package io.weft.guice;

import org.jspecify.annotations.NullMarked;
