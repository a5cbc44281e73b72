/**
 * libfabric as it is: six exported symbols, everything else through tables of function pointers; one class per struct, no
 * policy. Layouts are tested against the C compiler.
 */
@NullMarked
package io.weft.backend.libfabric.ofi;

import org.jspecify.annotations.NullMarked;
