package io.weft.tck.mutants;

import io.weft.api.Access;
import io.weft.spi.Backend;
import io.weft.spi.LocalMemory;
import io.weft.spi.MemorySpec;
import io.weft.spi.Peer;
import io.weft.testkit.ForwardingBackend;
import io.weft.testkit.lone.LoneMemory;
import java.util.List;
import java.util.function.UnaryOperator;

/** Backends that leave to core at the initiator what the target has to do. */
final class TargetMutants {
    private TargetMutants() {}

    static List<Mutant> all() {
        return List.of(
                target(
                        "DL-5",
                        "fencePeer does nothing",
                        "over a link that was kept",
                        sound -> new ForwardingBackend(sound) {
                            @Override
                            public boolean fencePeer(Peer peer, long deadlineNanos) {
                                return true;
                            }
                        }),
                target(
                        "REG-4",
                        "a deregistered key still works",
                        "by a key that was kept",
                        sound -> new ForwardingBackend(sound) {
                            @Override
                            public boolean deregister(LocalMemory memory, long deadlineNanos) {
                                return true;
                            }
                        }),
                target(
                        "SEC-1b",
                        "the target checks no rights",
                        "to a region that peers may only read",
                        sound -> new ForwardingBackend(sound) {
                            @Override
                            public LocalMemory register(MemorySpec spec) {
                                return super.register(new LoneMemory(
                                        spec.regionId(), spec.segment().orElseThrow(), Access.ALL));
                            }
                        }));
    }

    private static Mutant target(String rule, String defect, String message, UnaryOperator<Backend> spoil) {
        return Mutant.backend(rule, defect, message, sound -> Spoil.backends(sound, spoil));
    }
}
