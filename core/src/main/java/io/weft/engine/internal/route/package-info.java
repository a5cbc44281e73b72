/** Which backend carries a transfer: one total order, and why (rules CFG-2, CFG-3). Pure. */
@NullMarked
package io.weft.engine.internal.route;

import org.jspecify.annotations.NullMarked;
