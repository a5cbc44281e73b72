/** libibverbs as it is: one class per struct, one method per function, no policy. Layouts are tested against the C compiler. */
@NullMarked
package io.weft.backend.rdma.verbs;

import org.jspecify.annotations.NullMarked;
