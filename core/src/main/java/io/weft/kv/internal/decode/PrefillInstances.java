package io.weft.kv.internal.decode;

import io.weft.api.ErrorCode;
import io.weft.api.WeftException;
import io.weft.kv.KvReceiver;
import io.weft.kv.RankConfig;
import io.weft.kv.RankDirectory;
import io.weft.kv.RankDirectory.Coordinates;
import io.weft.kv.RankDirectory.Topology;
import io.weft.kv.plan.RankMapping;
import io.weft.kv.plan.RankMapping.DecodeShape;
import io.weft.kv.plan.RankMapping.PrefillShape;
import io.weft.kv.wire.NetworkAddress;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Finds and remembers prefill instances. Look-ups block and are made from threads that may; each instance is looked up once and
 * registered with once, until it is forgotten or one of its ranks does not answer. Safe from any thread.
 */
final class PrefillInstances {
    private final RankDirectory directory;
    private final RankConfig config;
    private final boolean forceAllCp;
    private final boolean forceDpQuery;
    private final Consumer<PrefillInstance> register;
    private final Predicate<NetworkAddress> failing;
    private final Map<String, Topology> topologies = new ConcurrentHashMap<>();
    private final Map<Key, PrefillInstance> instances = new ConcurrentHashMap<>();

    private record Key(String registry, int dpRank) {}

    /**
     * Knows nothing yet.
     *
     * @param register told of each new instance before anybody gets it
     * @param failing whether an address does not answer now; an instance with a rank there is looked up anew, since the rank
     *     may have been replaced by one at another address that the registry names by now
     */
    PrefillInstances(
            RankDirectory directory,
            RankConfig config,
            boolean forceAllCp,
            boolean forceDpQuery,
            Consumer<PrefillInstance> register,
            Predicate<NetworkAddress> failing) {
        this.directory = directory;
        this.config = config;
        this.forceAllCp = forceAllCp;
        this.forceDpQuery = forceDpQuery;
        this.register = register;
        this.failing = failing;
    }

    /**
     * The shape of an instance.
     *
     * @throws WeftException UNREACHABLE or RESOURCE_EXHAUSTED when it cannot be told yet; INCOMPATIBLE naming both sides' values
     */
    Topology topology(String registry) {
        Topology known = topologies.get(registry);
        if (known != null) {
            return known;
        }
        Topology found = directory.topology(registry);
        check("page size", found.pageSize(), config.args().pageSize());
        if (!config.args().dtype().isEmpty()) {
            check("KV cache dtype", found.dtype(), config.args().dtype());
        }
        topologies.put(registry, found);
        return found;
    }

    /**
     * The DP rank of a room.
     *
     * @return the rank, or {@link KvReceiver#ANY_DP_RANK} if the registry does not know it yet
     */
    int dpRank(String registry, long room) {
        Topology topology = topology(registry);
        if (topology.dpSize() == 1) {
            return 0;
        }
        if (topology.followsRoom() && !forceDpQuery) {
            return (int) Long.remainderUnsigned(room, topology.dpSize());
        }
        return directory.dpRanks(registry, List.of(room)).getOrDefault(room, KvReceiver.ANY_DP_RANK);
    }

    /**
     * The instance, looked up and registered with once. Two callers at once may look up twice; one result wins.
     *
     * @throws WeftException UNREACHABLE while one of its ranks does not answer; what the registry throws
     */
    PrefillInstance find(String registry, int dpRank) {
        Key key = new Key(registry, dpRank);
        PrefillInstance known = instances.get(key);
        if (known != null) {
            if (silent(known).isEmpty()) {
                return known;
            }
            forget(registry);
        }
        PrefillInstance found = lookUp(registry, dpRank, topology(registry));
        // A registry names a dead rank until its successor has told of itself.
        silent(found).ifPresent(address -> {
            throw new WeftException(
                    ErrorCode.UNREACHABLE,
                    "prefill rank " + address + ", which the registry names, does not answer now");
        });
        return instances.computeIfAbsent(key, any -> {
            register.accept(found);
            return found;
        });
    }

    /** Where a rank of the instance does not answer now. */
    private Optional<NetworkAddress> silent(PrefillInstance instance) {
        return instance.ranks().stream()
                .map(PrefillRank::address)
                .filter(failing)
                .findFirst();
    }

    void forget(String registry) {
        topologies.remove(registry);
        instances.keySet().removeIf(key -> key.registry().equals(registry));
    }

    /** Forgets the instances with a rank at an address; their registries. */
    List<String> forgetAt(NetworkAddress address) {
        List<String> registries = instances.values().stream()
                .filter(instance -> instance.has(address))
                .map(PrefillInstance::registry)
                .distinct()
                .toList();
        registries.forEach(this::forget);
        return registries;
    }

    Collection<String> registries() {
        return instances.keySet().stream().map(Key::registry).collect(Collectors.toSet());
    }

    int size() {
        return instances.size();
    }

    private PrefillInstance lookUp(String registry, int dpRank, Topology topology) {
        boolean allCp = config.allCpRanksSend(forceAllCp, true) || topology.layerSplit();
        PrefillShape prefill = new PrefillShape(topology.tpSize(), topology.cpSize(), topology.ppSize(), allCp);
        DecodeShape decode = new DecodeShape(
                config.layout().tpSize(),
                config.args().engineRank(),
                config.layout().cpSize(),
                config.layout().ppSize(),
                config.layout().ppRank());
        RankMapping mapping = RankMapping.of(decode, prefill, config.args().isMla());
        List<PrefillRank> ranks = new ArrayList<>();
        for (int cp : mapping.targetCpRanks()) {
            for (int tp : mapping.targetTpRanks()) {
                for (int pp : mapping.targetPpRanks().reversed()) {
                    ranks.add(new PrefillRank(
                            RankMapping.uniqueRank(tp, pp, cp, topology.ppSize(), topology.cpSize()),
                            mapping.isDummy(tp),
                            directory.rank(registry, new Coordinates(dpRank, cp, tp, pp))));
                }
            }
        }
        return new PrefillInstance(registry, dpRank, mapping, List.copyOf(ranks));
    }

    private static void check(String what, @Nullable Object prefill, Object decode) {
        if (prefill != null && !prefill.equals(decode)) {
            throw new WeftException(
                    ErrorCode.INCOMPATIBLE, what + " is " + prefill + " on prefill and " + decode + " on decode");
        }
    }
}
