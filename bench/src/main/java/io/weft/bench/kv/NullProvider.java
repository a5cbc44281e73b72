package io.weft.bench.kv;

import io.weft.spi.Backend;
import io.weft.spi.BackendContext;
import io.weft.spi.Link;
import io.weft.spi.LinkEvents;
import io.weft.spi.Operation;
import io.weft.spi.Peer;
import io.weft.testkit.ForwardingBackend;
import io.weft.testkit.ForwardingLink;
import io.weft.testkit.ForwardingProvider;
import io.weft.testkit.mem.MemProvider;

/** A fabric that completes every operation at once and moves nothing: what remains is the cost of everything above it. */
final class NullProvider extends ForwardingProvider {
    NullProvider() {
        super(new MemProvider());
    }

    @Override
    public Backend open(BackendContext context) {
        return new ForwardingBackend(super.open(context)) {
            @Override
            public Link connect(Peer peer, LinkEvents events, long deadlineNanos) {
                return new ForwardingLink(super.connect(peer, events, deadlineNanos)) {
                    @Override
                    public int post(Operation operation) {
                        context.completions().complete(operation.token(), 0, 0);
                        return ACCEPTED;
                    }
                };
            }
        };
    }
}
