/** The rules of the transfer contract, read from the page that states them. */
@NullMarked
package io.weft.tck.contract;

import org.jspecify.annotations.NullMarked;
