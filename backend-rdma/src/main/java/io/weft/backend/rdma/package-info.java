/** Backend {@code rdma}: devices, memory, queue pairs and completion on ibverbs. The binding is in {@code verbs}. */
@NullMarked
package io.weft.backend.rdma;

import org.jspecify.annotations.NullMarked;
