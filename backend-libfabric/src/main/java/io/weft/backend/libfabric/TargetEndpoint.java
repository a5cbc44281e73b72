package io.weft.backend.libfabric;

import io.weft.backend.libfabric.ofi.OfiCq;
import io.weft.backend.libfabric.ofi.OfiException;
import io.weft.backend.libfabric.ofi.OfiMr;
import io.weft.spi.EngineClock;
import io.weft.spi.Metrics;
import io.weft.spi.Peer;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * The endpoint through which one peer reaches this engine's memory, and nobody else does: closing it is the fence (rule
 * DL-5). Providers that work in software move bytes only while it is polled, so what was half received when it closes is dropped.
 */
final class TargetEndpoint implements Polled {
    final long id;
    final Peer peer;
    private final RmaEndpoint endpoint;
    /** Where registrations hang on endpoints: this one's hello, and the regions exported to the peer. */
    private final List<OfiMr> bound = new ArrayList<>();

    private final Map<Region, OfiMr> regions = new IdentityHashMap<>();
    private final Metrics.Counter errors;
    private final long emptyPollNanos;

    TargetEndpoint(long id, Peer peer, RmaEndpoint endpoint, Metrics.Counter errors, long emptyPollNanos) {
        this.id = id;
        this.peer = peer;
        this.endpoint = endpoint;
        this.errors = errors;
        this.emptyPollNanos = emptyPollNanos;
    }

    @Override
    public RmaEndpoint endpoint() {
        return endpoint;
    }

    @Override
    public int poll(int budget) {
        if (!endpoint.gate.enter()) {
            return 0;
        }
        try {
            long start = System.nanoTime();
            long n = endpoint.cq.read(endpoint.entries.address(), Math.min(budget, RmaEndpoint.BATCH));
            if (n == OfiCq.ERROR_AVAILABLE) {
                // The initiator's own completion tells what failed; here an entry only must not stay.
                endpoint.cq.readError(endpoint.error);
                errors.add(1);
                return 1;
            }
            if (n > 0) {
                return (int) n;
            }
            return System.nanoTime() - start > emptyPollNanos ? 1 : 0;
        } finally {
            endpoint.gate.leave();
        }
    }

    /** Keeps a registration to be closed with the endpoint. Called under the owner's lock. */
    void keep(OfiMr mr) {
        bound.add(mr);
    }

    /** Registers a region that peers reach through this endpoint only; the same region once. Called under the owner's lock. */
    OfiMr register(OpenedFabric fabric, Region region) throws OfiException {
        OfiMr known = regions.get(region);
        if (known != null) {
            return known;
        }
        OfiMr mr = Region.registration(fabric, region.spec());
        regions.put(region, mr);
        mr.enableOn(endpoint.endpoint);
        return mr;
    }

    /** Takes a region away from the peer. Called under the owner's lock. */
    void unregister(Region region) throws OfiException {
        OfiMr mr = regions.remove(region);
        if (mr != null) {
            mr.close();
        }
    }

    boolean close(EngineClock clock, long deadlineNanos) throws OfiException {
        endpoint.gate.shut();
        if (!endpoint.gate.awaitEmpty(clock, deadlineNanos)) {
            return false;
        }
        // What is bound to the endpoint keeps it from closing.
        bound.addAll(regions.values());
        regions.clear();
        for (OfiMr mr : bound) {
            mr.close();
        }
        bound.clear();
        return endpoint.close(clock, deadlineNanos, () -> {});
    }
}
