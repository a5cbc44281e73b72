/** Long trials of whole engines over native libraries, which the backends of this project share; not part of the kit. */
@NullMarked
package io.weft.tck.trial;

import org.jspecify.annotations.NullMarked;
