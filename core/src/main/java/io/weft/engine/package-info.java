/** The transfer engine and what belongs to its face: descriptors as bytes, identities. */
@NullMarked
package io.weft.engine;

import org.jspecify.annotations.NullMarked;
