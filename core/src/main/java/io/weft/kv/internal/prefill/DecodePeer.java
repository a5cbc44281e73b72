package io.weft.kv.internal.prefill;

import io.weft.api.EngineDescriptor;
import io.weft.api.ErrorCode;
import io.weft.api.MemoryDescriptor;
import io.weft.api.RegionPair;
import io.weft.api.SegmentTable;
import io.weft.api.SharedSegments;
import io.weft.api.WeftException;
import io.weft.engine.Descriptors;
import io.weft.kv.RankConfig;
import io.weft.kv.internal.memory.LocalBuffers;
import io.weft.kv.layout.PeerLayout;
import io.weft.kv.layout.StateSpec;
import io.weft.kv.layout.StateType;
import io.weft.kv.plan.KvRoute;
import io.weft.kv.plan.KvSide;
import io.weft.kv.plan.StatePlan;
import io.weft.kv.plan.StatePlanner;
import io.weft.kv.plan.StateSide;
import io.weft.kv.wire.PeerRegistration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A decode rank that registered: its memory, and how this rank's buffers map onto it. Computed once, used for every chunk.
 * Immutable.
 */
final class DecodePeer {
    private final EngineDescriptor engine;
    private final PeerRegistration registration;
    private final RankConfig config;
    private final LocalBuffers local;
    private final KvRoute route;
    private final List<List<RegionPair>> kvPairs;
    private final List<MemoryDescriptor> aux;
    private final List<List<MemoryDescriptor>> state;

    /**
     * Compares both layouts.
     *
     * @throws io.weft.api.WeftException INCOMPATIBLE naming both sides' values; DECODE_ERROR for a broken descriptor
     */
    DecodePeer(EngineDescriptor engine, PeerRegistration registration, RankConfig config, LocalBuffers local) {
        this.engine = engine;
        this.registration = registration;
        this.config = config;
        this.local = local;
        List<MemoryDescriptor> kv = LocalBuffers.unpacked(registration.kv());
        route = KvRoute.between(config.kvSide(), remoteSide(kv.size()));
        kvPairs = route.groups().stream().map(group -> pairs(group, kv)).toList();
        aux = LocalBuffers.unpacked(registration.aux());
        state = registration.state().stream().map(LocalBuffers::unpacked).toList();
    }

    String key() {
        return engine.key();
    }

    EngineDescriptor engine() {
        return engine;
    }

    PeerRegistration registration() {
        return registration;
    }

    KvRoute route() {
        return route;
    }

    List<RegionPair> kvPairs(int group) {
        return kvPairs.get(group);
    }

    /**
     * Whether the rank only talks to this pipeline stage, because both sides have as many stages: nobody else can send it its
     * aux rows. An older rank does not say so; one with as many KV buffers as a stage holds a stage.
     */
    boolean isStageLocal() {
        int stages = config.layout().ppSize();
        PeerLayout told = registration.extras().layout();
        return stages > 1
                && (told != null
                        ? told.ppSize() == stages
                        : registration.kv().size() == local.kv().size());
    }

    /** Whether aux rows can be written over the fabric: both sides must have the same buffers. */
    boolean hasSameAux() {
        return !aux.isEmpty() && aux.size() == local.aux().size();
    }

    /** One row of every aux buffer. */
    List<SharedSegments> auxParts(int sourceRow, int destinationRow) {
        List<SharedSegments> parts = new ArrayList<>();
        for (int i = 0; i < aux.size(); i++) {
            long itemLen = config.args().aux().get(i).itemLen();
            parts.add(new SharedSegments(
                    List.of(new RegionPair(local.aux().get(i), aux.get(i))),
                    SegmentTable.single(sourceRow * itemLen, destinationRow * itemLen, itemLen)));
        }
        return parts;
    }

    /**
     * Plans all state components.
     *
     * @throws io.weft.api.WeftException INCOMPATIBLE or INVALID_ARGUMENT naming both sides' values
     */
    List<SharedSegments> stateParts(Task task, int[][] destinations, DroppedIndices dropped) {
        List<StateSpec> components = config.args().state();
        List<SharedSegments> parts = new ArrayList<>();
        if (components.isEmpty()) {
            return parts;
        }
        if (state.size() != components.size()) {
            throw new WeftException(
                    ErrorCode.INCOMPATIBLE,
                    "PD state transfer failed: state component count mismatch (prefill " + components.size()
                            + ", decode " + state.size() + ")");
        }
        for (int i = 0; i < components.size(); i++) {
            int[] wanted = i < destinations.length ? destinations[i] : new int[0];
            StateType type = components.get(i).type();
            StatePlan plan = StatePlanner.plan(
                    type,
                    localState(components.get(i)),
                    remoteState(i),
                    config.args().isMla(),
                    config.layout().ppSize(),
                    task.chunk().stateOf(i),
                    wanted);
            dropped.add(type, plan.dropped());
            for (StatePlan.Part part : plan.parts()) {
                int component = i;
                List<RegionPair> pairs = part.tensors().stream()
                        .map(t -> new RegionPair(
                                local.state().get(component).get(t),
                                state.get(component).get(t)))
                        .toList();
                parts.add(new SharedSegments(pairs, part.segments().table()));
            }
        }
        return parts;
    }

    /** Told of indices that a tolerant state type left out. */
    interface DroppedIndices {
        void add(StateType type, int count);
    }

    private List<RegionPair> pairs(KvRoute.Group group, List<MemoryDescriptor> kv) {
        List<RegionPair> pairs = new ArrayList<>();
        for (int i = 0; i < group.sources().size(); i++) {
            pairs.add(new RegionPair(
                    local.kv().get(group.sources().get(i)),
                    kv.get(group.destinations().get(i))));
        }
        return List.copyOf(pairs);
    }

    /** An older decode rank tells its TP size and rank and the length of its first buffer; the rest is taken as ours. */
    private KvSide remoteSide(int buffers) {
        PeerLayout told = registration.extras().layout();
        if (told != null) {
            return KvSide.of(told, 0);
        }
        return new KvSide(
                registration.tpSize(),
                tpRank(),
                0,
                "",
                config.args().isMla(),
                0,
                0,
                buffers,
                List.of(registration.kvItemLen()),
                List.of());
    }

    private StateSide localState(StateSpec spec) {
        int tp = config.layout().tpSize();
        return new StateSide(
                tp,
                Math.floorMod(config.args().engineRank(), tp),
                spec.tensors().size(),
                spec.itemLens(),
                spec.dimArray(),
                spec.convShardGroups());
    }

    private StateSide remoteState(int component) {
        return new StateSide(
                registration.tpSize(),
                tpRank(),
                state.get(component).size(),
                ofComponent(registration.stateItemLens(), component),
                ofComponent(registration.stateDims(), component),
                List.of());
    }

    private static long[] ofComponent(long[][] lists, int component) {
        return component < lists.length ? Arrays.copyOf(lists[component], lists[component].length) : new long[0];
    }

    private int tpRank() {
        return Math.floorMod(registration.engineRank(), registration.tpSize());
    }

    static EngineDescriptor engineOf(PeerRegistration registration) {
        return Descriptors.unpackEngine(registration.engine());
    }
}
