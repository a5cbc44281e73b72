/** MORI-IO's control plane and notifications, byte for byte: the codec, its server and its client. Knows nothing of verbs. */
@NullMarked
package io.weft.backend.rdma.mori;

import org.jspecify.annotations.NullMarked;
