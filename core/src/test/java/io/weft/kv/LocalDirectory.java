package io.weft.kv;

import io.weft.api.ErrorCode;
import io.weft.api.WeftException;
import io.weft.kv.wire.NetworkAddress;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** A registry in memory, which can also play dead, old or changed. */
final class LocalDirectory implements RankDirectory {
    private final Map<Coordinates, RankAddress> ranks = new ConcurrentHashMap<>();
    private final Map<Long, Integer> dpRanks = new ConcurrentHashMap<>();
    final AtomicInteger lookUps = new AtomicInteger();
    volatile boolean dead;
    volatile boolean old;
    volatile Topology topology = new Topology(1, 1, 1, 1, null, null, true, false);

    @Override
    public Handle keepRegistered(String registry, Registration registration) {
        RankAddress rank = new RankAddress(registration.address(), registration.epoch(), registration.engineKey());
        ranks.put(registration.coordinates(), rank);
        RankConfig c = registration.config();
        topology = new Topology(
                c.layout().tpSize(),
                c.layout().cpSize(),
                c.dpSize(),
                c.layout().ppSize(),
                c.args().pageSize(),
                c.args().dtype().isEmpty() ? null : c.args().dtype(),
                c.loadBalance().equals(RankConfig.FOLLOW_ROOM),
                c.args().isLayerSplit());
        return () -> ranks.remove(registration.coordinates(), rank);
    }

    void put(Coordinates coordinates, NetworkAddress address) {
        putWeft(coordinates, address, 0, "");
    }

    void putWeft(Coordinates coordinates, NetworkAddress address, long epoch, String engineKey) {
        ranks.put(coordinates, new RankAddress(address, epoch, engineKey));
    }

    @Override
    public Topology topology(String registry) {
        if (dead) {
            throw new WeftException(ErrorCode.UNREACHABLE, "registry " + registry + " does not answer");
        }
        return topology;
    }

    @Override
    public RankAddress rank(String registry, Coordinates coordinates) {
        lookUps.incrementAndGet();
        RankAddress found = ranks.get(coordinates);
        if (dead || found == null) {
            throw new WeftException(
                    dead ? ErrorCode.UNREACHABLE : ErrorCode.NOT_REGISTERED, "rank " + coordinates + " at " + registry);
        }
        return old
                ? new RankAddress(found.address(), 0, "")
                : new RankAddress(found.address(), found.epoch(), found.engineKey());
    }

    @Override
    public void registerDpRank(String registry, long room, int dpRank) {
        dpRanks.put(room, dpRank);
    }

    @Override
    public Map<Long, Integer> dpRanks(String registry, List<Long> rooms) {
        Map<Long, Integer> known = new ConcurrentHashMap<>(dpRanks);
        known.keySet().retainAll(rooms);
        return known;
    }

    @Override
    public Optional<String> health(String registry) {
        return dead ? Optional.of("no answer") : Optional.empty();
    }
}
