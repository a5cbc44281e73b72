/** Builds small jars from source text, for tests of what happens when somebody else's jar is on the path. */
@NullMarked
package io.weft.testkit.jars;

import org.jspecify.annotations.NullMarked;
